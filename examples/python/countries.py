"""From a graph to answers, cell by cell: open it in an editor that knows `# %%`, paste it into a notebook, or run it.

python3 countries.py [FOLDER]        # where the run is left; default: here
"""
# %% A graph. Any file or folder that `greenkgc` reads will do; "world" is built in.
import pathlib
import sys

import greenkgc

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
graph = greenkgc.load_dataset("world")
print(graph)
print(graph.stats().by_relation)

# %% Learn from it. Small settings, for a model in seconds; leave them out for a better one.
model = greenkgc.train(graph, out=folder / "run", dims=32, epochs=10, decide={"trees": 20}, rerank={"trees": 50})
print(model)

# %% How good is it? Asked for the facts that were held out; over a third of them are the reverse of a training fact.
for measured in model.metrics:
    print(measured)

# %% Ask it. Facts that are known are left out, unless they are asked for.
print(model.predict_tails("Norway", "borders", k=5, include_known=True))
print(model.predict_heads("official_language", "Portuguese", k=5))
print(model.predict_relations("Japan", "Tokyo", k=3, include_known=True))

# %% Why?
print(model.explain("Norway", "continent", "Europe", k=3))

# %% What is missing? The most probable facts that the graph does not have.
new = model.complete("borders", top=100)
print(new)
new.to_pandas().to_csv(folder / "new-borders.csv", index=False)

# %% The numbers behind it, without copies.
vectors = greenkgc.embeddings(folder / "run")
norway = vectors.entities[vectors.entity_labels.index("Norway")]
print(vectors, norway[:4])
print(model.neighbors("Norway", k=5))
