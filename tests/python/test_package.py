"""The Python package: what it answers is what the command answers."""
import json
import os
import pickle
import subprocess
import sys

import numpy
import pytest

from package import BIN, command, greenkgc, PACKAGE, ROOT, SMALL


# Answers.

def rows(answers):
    return [(a.answer, a.probability, pytest.approx(a.margin, rel=1e-6), a.known) for a in answers]


@pytest.mark.parametrize("question", [("Norway", "borders", None), (None, "official_language", "Portuguese"),
                                      ("Japan", None, "Tokyo")])
def test_predict_answers_as_the_command_does(model, question):
    flags = [word for name, label in zip(("head", "relation", "tail"), question) if label
             for word in (f"--{name}", label)]
    for known in (False, True):
        expected = command("predict", "--model", model.path, *flags, "--top-k", 7, f"--include-known={str(known).lower()}")
        found, = model.predict([question], 7, include_known=known)
        assert found.question == question
        assert rows(found) == [tuple(a.values()) for a in expected["answers"]]


def test_single_questions_are_those_of_many(model):
    many = model.predict([("Norway", "borders", None), (None, "capital", "Oslo"), ("Japan", None, "Tokyo")], 4)
    assert many[0] == model.predict_tails("Norway", "borders", 4)
    assert many[1] == model.predict_heads("capital", "Oslo", 4)
    assert many[2] == model.predict_relations("Japan", "Tokyo", 4)
    assert len(model.predict_tails("Norway", "borders", 0, include_known=True)) == len(model.entities)


def test_tables_become_frames(model):
    frame = model.predict([("Norway", "borders", None), (None, "capital", "Oslo")], 3, include_known=True).to_pandas()
    assert frame.columns.tolist() == ["head", "relation", "tail", "rank", "probability", "margin", "known"]
    assert frame["rank"].tolist() == [1, 2, 3, 1, 2, 3] and set(frame["head"][:3]) == {"Norway"}
    scores = model.score(frame)
    assert len(scores) == 6 and scores.to_pandas().shape == (6, 2)
    empty = model.complete("capital", min_probability=1, top=1)
    assert empty.to_pandas().columns.tolist() == ["head", "relation", "tail", "probability", "margin"]
    assert str(empty) == "(nothing)" and "<th>head</th>" in empty._repr_html_()


def test_scores_are_those_of_the_answers(model):
    answers = model.predict_tails("Norway", "borders", 5, include_known=True)
    for answer, score in zip(answers, model.score(answers.facts())):
        assert score.margin == pytest.approx(answer.margin, rel=1e-5)
        assert score.probability == pytest.approx(answer.probability, rel=1e-5)


def test_explain_says_what_the_command_says(model):
    fact = ("Norway", "continent", "Europe")
    expected = command("explain", "--model", model.path, "--head", fact[0], "--relation", fact[1], "--tail", fact[2],
                       "--top-k", 3)
    found = model.explain(*fact, k=3)
    assert (found.head, found.relation, found.tail) == fact
    for name in ("probability", "known", "tail_rank", "head_rank", "base_rate", "against"):
        assert getattr(found, name) == expected[name], name
    assert [e.sentence for e in found.evidence] == [e["sentence"] for e in expected["evidence"]]
    assert [r.tail for r in found.rivals] == [r["tail"] for r in expected["rivals"]]
    first = found.first_stage
    parts = sum(first.base.values()) + first.trees_expected + sum(sum(d[1:]) for d in first.dimensions)
    assert first.margin == pytest.approx(parts, abs=1e-3)
    assert found.evidence[0].sentence.split()[0] in str(found)


def test_complete_and_neighbors_as_the_command(model, tmp_path):
    found = model.complete(["borders", "capital"], top=20)
    command("complete", "--model", model.path, "--relation", "borders,capital", "--top", 20, "--out", tmp_path / "new.tsv")
    written = [line.split("\t") for line in (tmp_path / "new.tsv").read_text().splitlines()]
    assert [list(fact[:3]) for fact in found] == [line[:3] for line in written]
    of_norway = model.complete(entity="Norway", max_queries=500, top=10)
    assert of_norway and all("Norway" in fact[:3] for fact in of_norway)
    european = model.complete(type=["Europe"], top=10)
    command("complete", "--model", model.path, "--type", "Europe", "--top", 10, "--out", tmp_path / "european.tsv")
    written = [line.split("\t") for line in (tmp_path / "european.tsv").read_text().splitlines()]
    assert [list(fact[:3]) for fact in european] == [line[:3] for line in written] != []
    near = command("neighbors", "--model", model.path, "--entity", "Norway", "--relation", "borders", "--top-k", 4)
    assert [tuple(n) for n in model.neighbors("Norway", "borders", 4)] == [tuple(n.values()) for n in near["neighbors"]]


def test_evaluate_as_the_command(model):
    found = model.evaluate("world", split="valid", sample=40, threads=1)
    expected = command("evaluate", "world", "--model", model.path, "--split", "valid", "--sample", 40)
    assert found.json["both"] == expected["both"] and found.split == "valid" and found.both.queries == 80
    assert found.mrr == found.parts[0].mrr and found.to_pandas()["part"].tolist()[:3] == ["both", "head", "tail"]
    assert [(m.split, m.protocol) for m in model.metrics] == [("valid", "filtered"), ("test", "filtered")]


def test_completion_is_evaluated(model, folder):
    measured = greenkgc.load(folder / "run/measured.gkgc")
    found = measured.evaluate("world", task="completion")
    expected = command("evaluate", "world", "--model", measured.path, "--task", "completion")
    assert {**found.json, "seconds": 0} == {**expected, "seconds": 0}
    quality = found.completion
    assert quality.figures == model.completion_quality.figures and quality.split == found.split == "test"
    assert sum(row.hidden for row in quality.relations) == quality.figures.hidden == sum(quality.to_pandas()["hidden"])
    assert len(quality.bins) == 10 and model.evaluate("world", sample=20).completion is None
    assert "R-precision" in repr(found)
    with pytest.raises(greenkgc.Error, match="knows all test facts"):
        model.evaluate("world", task="completion")


def test_any_triples_are_evaluated(model, tmp_path):
    """The model holds train and valid: with the test facts, what is known is what is known of world."""
    test = greenkgc.load_dataset("world").facts("test")
    expected = model.evaluate("world")
    found = model.evaluate(test[::-1])
    assert found.split == "all" and found.both.queries == expected.both.queries
    assert found.mrr == pytest.approx(expected.mrr, rel=1e-9)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(test[:7], columns=["head", "relation", "tail"])
    assert model.evaluate(frame).both.queries == 14
    (tmp_path / "facts.tsv").write_text("".join("\t".join(fact) + "\n" for fact in test[:3]) + "Norwy\tborders\tSweden\n")
    with pytest.raises(greenkgc.Error, match=r"facts\.tsv line 4: the model has no entity 'Norwy'.*1 of 4 facts"):
        model.evaluate(tmp_path / "facts.tsv")
    found = model.evaluate(tmp_path / "facts.tsv", skip_unknown=True)
    assert found.both.queries == 6 and found.json["skipped"] == 1


def test_known_answers_that_are_left_out_are_counted(model):
    world = greenkgc.load_dataset("world")
    known = world.facts("train") + world.facts("valid")
    head, relation, _ = known[0]
    expected = len({fact for fact in known if fact[:2] == (head, relation)})
    answers = model.predict_tails(head, relation, 3)
    assert answers.known_left_out == expected
    assert str(answers).splitlines()[-1].startswith(f"{expected} known answer")
    assert model.predict_tails(head, relation, 3, include_known=True).known_left_out == 0


def test_options_show_what_a_training_will_use(folder):
    def values(**given):
        return {f"{o.stage}.{o.name}": o for o in greenkgc.options("train", **given)}

    light, paper = values(), values(preset="Paper")
    assert (light["embed.model"].default, light["embed.dims"].default) == ("complex", 16)
    assert (paper["embed.model"].default, paper["embed.dims"].default) == ("rotate", 500)
    assert (light[".second_stage"].default, paper[".second_stage"].default) == ("yes", "no")
    assert light["prune.groups"].by_data and not light["embed.model"].by_data
    assert values(dims=24)["embed.dims"].default == 24
    assert light["embed.rate"].aliases == ["lr", "learning_rate"]

    own = values(data="world")
    assert not any(option.by_data for option in own.values())
    for name, option in light.items():
        assert option.by_data or option.default == own[name].default, name
    recorded = (folder / "run/config.toml").read_text()
    given = values(data="world", **SMALL)
    for stage in ("embed", "prune", "rerank"):
        table = recorded.split(f"[{stage}]\n")[1].split("\n[")[0]
        for line in table.strip().splitlines():
            name, value = line.split(" = ", 1)
            shown = given[f"{stage}.{name}"].default
            assert json.loads(value) == shown, (stage, name)
    with pytest.raises(greenkgc.Error, match="apply only to options"):
        greenkgc.options("complete", preset="paper")


# Data and numbers.

def test_views_share_the_bytes_and_keep_their_owner(folder):
    model = greenkgc.load(folder / "run")
    vectors = model.embeddings()
    bins, relations, levels = vectors.bins, vectors.relations, vectors.levels
    again = model.embeddings()
    assert numpy.shares_memory(bins, again.bins) and numpy.shares_memory(relations, again.relations)
    assert not bins.flags.owndata and not bins.flags.writeable and not relations.flags.writeable
    with pytest.raises(ValueError):
        bins[0, 0] = 1
    before = bins.copy(), relations.copy()
    del model, vectors, again
    assert (bins == before[0]).all() and (relations == before[1]).all()
    assert all((numpy.diff(column) >= 0).all() for column in levels)


def test_embeddings_of_a_run_are_those_of_its_file(folder):
    found = greenkgc.embeddings(folder / "run")
    with open(folder / "run/embeddings.safetensors", "rb") as file:  # the format, by hand
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
        begin, end = header["entities"]["data_offsets"]
        file.seek(8 + size + begin)
        expected = numpy.frombuffer(file.read(end - begin), "<f4").reshape(header["entities"]["shape"])
    assert (found.entities == expected).all() and not found.entities.flags.writeable
    assert found.entities.shape == (len(found.entity_labels), 2 * found.dims) and found.model == "complex"
    assert found.relations.shape[0] == len(found.relation_labels) * (2 if found.reciprocal else 1)
    with pytest.raises(greenkgc.Error, match="nowhere"):
        greenkgc.embeddings("nowhere")


def test_model_levels_are_near_the_embedding(folder, model):
    """Bins are quantized from the pruned features; cosines by them are those of neighbors()."""
    rows = model.embeddings().floats().astype(float)
    rows /= numpy.linalg.norm(rows, axis=1, keepdims=True)
    norway = model.entities.index("Norway")
    cosines = rows @ rows[norway]
    cosines[norway] = -2
    best, = model.neighbors("Norway", k=1)
    assert best.similarity == pytest.approx(cosines.max(), abs=1e-5)
    assert model.entities[int(cosines.argmax())] == best.entity


def test_datasets(tmp_path):
    world = greenkgc.load_dataset("world")
    ids = world.triples("train")
    assert numpy.shares_memory(ids, world.triples("train")) and ids.base is not None
    head, relation, tail = world.facts("train")[0]
    assert [world.entities.index(head), world.relations.index(relation), world.entities.index(tail)] == ids[0].tolist()
    stats = world.stats()
    expected = command("stats", "world")
    assert stats.entities == expected["entities"] == len(world.entities)
    assert sum(s.triples for s in stats.splits) == sum(len(world.triples(s)) for s in ("train", "valid", "test"))
    assert stats.by_relation.to_pandas()["train"].sum() == len(ids)
    assert world.weights() is None and "world" in world.notes[0]
    with pytest.raises(greenkgc.Error, match="split must be one of train, valid"):
        world.triples("tset")
    written = world.write(tmp_path / "out", to="openke")
    assert greenkgc.load_dataset(tmp_path / "out").triples("test").tolist() == world.triples("test").tolist()
    assert all(os.path.exists(path) for path in written)


def test_graphs_from_memory():
    pandas = pytest.importorskip("pandas")
    facts = [(f"e{i}", "next", f"e{i + 1}") for i in range(100)]
    frame = pandas.DataFrame([(*fact, 1) for fact in facts], columns=["head", "relation", "tail", "weight"])
    whole = greenkgc.Dataset.from_triples(frame, valid_share=0, test_share=0)
    assert whole.facts() == facts
    split = greenkgc.Dataset.from_triples(facts, valid=facts[:3], test=iter(facts[3:5]))
    assert [len(split.triples(name)) for name in ("train", "valid", "test")] == [100, 3, 2]
    for bad in ([("a", "b")], [("a", "b", "c\td")], [("a", "b", 3)], [("a", "", "c")]):
        with pytest.raises(greenkgc.Error):
            greenkgc.Dataset.from_triples(bad)


def test_labels_of_any_bytes_go_in_and_out(tmp_path):
    odd = b"caf\xe9".decode("utf-8", "surrogateescape")
    facts = [(odd, "likes", f"Zoë {i % 7}") for i in range(60)] + [(f"x{i}", "likes", f"Zoë {i % 7}") for i in range(60)]
    data = greenkgc.Dataset.from_triples(facts)
    model = greenkgc.train(data, second_stage="no", dims=4, epochs=2, keep_dims=2, groups="1", decide={"trees": 2},
                           progress=False)
    assert odd in model.entities and b"caf\xe9" in model.entities
    assert model.predict_tails(odd, "likes", 1, include_known=True)[0].answer in model.entities
    answer = model.predict_heads("likes", "Zoë 1", 0, include_known=True)
    assert odd in [a.answer for a in answer]


# Training.

def test_same_model_as_the_command(folder, tmp_path):
    flags = ["--dims", 16, "--epochs", 4, "--keep-dims", 8, "--decide.trees", 20, "--rerank.trees", 20]
    command("train", "world", "--out", tmp_path / "run", "--threads", 1, *flags)
    assert (tmp_path / "run/model.gkgc").read_bytes() == (folder / "run/model.gkgc").read_bytes()


def test_a_run_without_a_folder_lives_as_long_as_its_model(tmp_path):
    model = greenkgc.train("world", second_stage="no", dims=8, epochs=1, keep_dims=4, decide={"trees": 2}, progress=False)
    path = model.path
    model.save(tmp_path / "kept.gkgc")
    assert pickle.loads(pickle.dumps(model)).predict_tails("Norway", "borders", 2) == model.predict_tails("Norway", "borders", 2)
    del model
    assert not os.path.exists(path)
    assert len(greenkgc.load(tmp_path / "kept.gkgc").predict_tails("Norway", "borders", 2)) == 2
    assert os.listdir(tmp_path) == ["kept.gkgc"]


@pytest.mark.parametrize("keywords, message", [
    ({"dimz": 4}, r"train\(\) has no option 'dimz'; did you mean dims\?"),
    ({"embed": {"rat": 1}}, "embed has no option 'rat'; did you mean rate"),
    ({"rate": 0.1}, r'rate is ambiguous: embed=\{"rate": ...\} or decide=\{"rate": ...\}'),
    ({"learning_rate": 0.1}, r'learning_rate is ambiguous: embed=\{"rate": ...\} or decide=\{"rate": ...\}'),
    ({"embed": {"lr": 0.1, "rate": 0.1}}, r'embed\["lr"\] and embed\["rate"\] are the same option'),
    ({"embed": {"lr": 1e9}}, r'embed\["lr"\] must be between'),
    ({"embed": {"learning_rat": 1}}, "did you mean learning_rate"),
    ({"embed": 3}, "embed is a step of training: pass a dict"),
    ({"dims": "many"}, "dims needs a whole number, not 'many'"),
    ({"dims": 2.5}, "dims needs a whole number, not 2.5"),
    ({"dims": True}, "dims needs a whole number, not true"),
    ({"dims": -1}, "dims must be between 1 and 100000, not -1"),
    ({"dims": 2**70}, "dims is too large"),
    ({"dims": [1]}, "dims cannot be a list"),
    ({"embed": {"margin": float("nan")}}, r'embed\["margin"\] must be finite'),
    ({"preset": "fast"}, "preset must be one of light, paper, accurate"),
    ({"threads": -1}, "threads must be between 0 and 1024"),
])
def test_wrong_keywords(keywords, message, tmp_path):
    with pytest.raises(greenkgc.Error, match=message) as raised:
        greenkgc.train("world", out=tmp_path / "run", **keywords)
    assert raised.value.code == "usage" and not (tmp_path / "run").exists()


def test_numbers_of_numpy_and_none_are_keywords(tmp_path):
    with pytest.raises(greenkgc.Error, match="dims must be between"):
        greenkgc.train("world", dims=numpy.int32(0), embed={"rate": numpy.float32(0.5), "reciprocal": numpy.bool_(True)},
                       preset=None)


def test_arrays_of_numpy_are_lists_but_no_numbers(model):
    both = model.complete(numpy.array(["borders", "capital"]), top=50)
    assert {fact.relation for fact in both} <= {"borders", "capital"}
    for wrong in (numpy.zeros(3), numpy.zeros(3, int)):
        with pytest.raises(TypeError):
            greenkgc.train("world", dims=wrong)
    with pytest.raises(TypeError, match="a label is a str, not int"):
        model.complete([3])


def test_load_options_of_loaded_data_are_refused():
    with pytest.raises(greenkgc.Error, match="valid_share is an option for loading data, but this graph is already loaded"):
        greenkgc.train(greenkgc.load_dataset("world"), valid_share=0.1)


# Errors.

@pytest.mark.parametrize("call, code, message", [
    (lambda m: m.predict_tails("Norwy", "borders"), "bad_input", "did you mean 'Norway'"),
    (lambda m: m.predict_tails("Norway", "borders", -1), "usage", "k must be between 0"),
    (lambda m: m.neighbors("Norway", k=0), "usage", "k must be between 1"),
    (lambda m: m.predict([(None, None, "Oslo")]), "usage", "must leave out one of head"),
    (lambda m: m.complete("bordres"), "bad_input", "did you mean"),
    (lambda m: m.evaluate("world", splits="x"), "usage", "did you mean split"),
    (lambda m: m.evaluate("/nowhere"), "bad_input", "/nowhere"),
    (lambda m: greenkgc.load("/nowhere.gkgc"), "bad_input", "/nowhere.gkgc"),
    (lambda m: greenkgc.load(ROOT / "README.md"), "corrupt", "README.md"),
    (lambda m: greenkgc.options("tran"), "usage", r"options\(\) knows train"),
])
def test_errors_have_the_message_and_the_code(model, call, code, message):
    with pytest.raises(greenkgc.Error, match=message) as raised:
        call(model)
    assert raised.value.code == code
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.code) == (str(raised.value), code)


@pytest.mark.parametrize("call", [
    lambda m: m.predict_tails(3, "borders"), lambda m: m.predict(["abc"]), lambda m: m.predict([("a", "b")]),
    lambda m: m.score([None]), lambda m: greenkgc.load(3), lambda m: m.predict_tails("Norway", "borders", "ten"),
])
def test_wrong_types(model, call):
    with pytest.raises(TypeError):
        call(model)



# Installation and the example.

def test_example_runs(tmp_path):
    """As a reader would run it, and in the end a model and new facts are there."""
    child = subprocess.run([sys.executable, ROOT / "examples/python/countries.py", tmp_path], capture_output=True, text=True,
                           env=dict(os.environ, PYTHONPATH=str(PACKAGE)), timeout=120)
    assert child.returncode == 0, child.stderr
    assert (tmp_path / "run/model.gkgc").exists() and (tmp_path / "new-borders.csv").exists()
    assert "MRR" in child.stdout and "Evidence for it" in child.stdout


def test_pip_installs_it_without_a_network(tmp_path):
    """In a virtual environment, from the checkout, with pip's build isolation on."""
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--system-site-packages", tmp_path / "env"], check=True)
    pip = subprocess.run([tmp_path / "env/bin/pip", "install", "--no-index", "--quiet", str(ROOT)], capture_output=True,
                         text=True, cwd=tmp_path)
    assert pip.returncode == 0, pip.stdout + pip.stderr
    code = "import greenkgc; print(greenkgc.__file__, greenkgc.__version__, len(greenkgc.load_dataset('world').entities))"
    done = subprocess.run([tmp_path / "env/bin/python", "-c", code], capture_output=True, text=True, cwd=tmp_path)
    where, version, entities = done.stdout.split()
    assert where.startswith(str(tmp_path / "env")) and int(entities) > 2000
    assert version == subprocess.run([BIN, "--version"], capture_output=True, text=True).stdout.split()[1]
    shown = subprocess.run([tmp_path / "env/bin/pip", "show", "-f", "greenkgc"], capture_output=True, text=True).stdout
    assert "greenkgc/py.typed" in shown and "greenkgc/_core.pyi" in shown
    assert "Requires: \n" in shown  # numpy is for those who want arrays
