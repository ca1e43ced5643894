"""convert on embeddings: npy, word2vec, safetensors of ours and of others."""

import json
import struct

import pytest

from program import fails, run, tsv, write

LABELS = ["a", "b", "x", "c", "d"]  # of the people, by first appearance


@pytest.fixture
def trained(people, tmp_path):
    out = tmp_path / "people.safetensors"
    done = run("embed", people, "--dims=4", "--epochs=2", "--valid-sample=0", "--model=rotate", "--out", out)
    assert done.code == 0, done.stderr
    return out


@pytest.fixture
def numpy():
    return pytest.importorskip("numpy", reason="numpy is not installed (scripts/setup.sh: python3-pandas brings it)")


@pytest.fixture
def tables(numpy, tmp_path):
    """A table of 5 entities and one of 2 relations, for rotate in 3 dimensions."""
    entities = numpy.arange(30, dtype="<f4").reshape(5, 6) / 7
    relations = numpy.arange(6, dtype="<f4").reshape(2, 3) / 11
    numpy.save(tmp_path / "e.npy", entities)
    numpy.save(tmp_path / "r.npy", relations)
    return entities, relations


def convert(*args):
    done = run("convert", *args)
    assert done.code == 0, done.stderr
    return done


@pytest.mark.parametrize("form", ["npy", "word2vec"])
def test_there_and_back_bit_by_bit(form, trained, tmp_path):
    convert(trained, "--to", form, "--out", tmp_path / "there")
    report = convert(tmp_path / "there", "--out", tmp_path / "back.safetensors", "--json").json
    assert (report["model"], report["dims"], report["entities"], report["relations"]) == ("rotate", 4, 5, 2)
    assert (tmp_path / "back.safetensors").read_bytes() == trained.read_bytes()


def test_numpy_reads_what_is_written(trained, tmp_path, numpy):
    convert(trained, "--to", "npy", "--out", tmp_path / "npy")
    convert(trained, "--to", "word2vec", "--out", tmp_path / "vec")
    entities = numpy.load(tmp_path / "npy/entities.npy")
    assert entities.shape == (5, 8) and entities.dtype == numpy.float32
    assert (tmp_path / "npy/entities.txt").read_text().split() == LABELS
    assert json.loads((tmp_path / "npy/embedding.json").read_text())["model"] == "rotate"
    count, *rows = (tmp_path / "vec/entities.vec").read_text().splitlines()
    assert count == "5 8"
    # As gensim cuts a line: at every space.
    vectors = {row.split(" ")[0]: numpy.array(row.split(" ")[1:], dtype="<f4") for row in rows}
    for label, row in zip(LABELS, entities):
        assert (vectors[label] == row).all()


@pytest.mark.parametrize("kind", ["<f4", "<f8", "fortran"])
def test_rows_by_first_appearance(kind, tables, people, tmp_path, numpy):
    entities, relations = tables
    stored = numpy.asfortranarray(entities) if kind == "fortran" else entities.astype(kind)
    numpy.save(tmp_path / "e.npy", stored)
    convert(tmp_path / "e.npy", "--relations", tmp_path / "r.npy", "--model=rotate", "--order=first-appearance",
            "--data", people, "--out", tmp_path / "o.safetensors")
    convert(tmp_path / "o.safetensors", "--to=npy", "--out", tmp_path / "o")
    assert (numpy.load(tmp_path / "o/entities.npy") == entities).all()
    assert (numpy.load(tmp_path / "o/relations.npy") == relations).all()
    assert (tmp_path / "o/entities.txt").read_text().split() == LABELS
    assert (tmp_path / "o/relations.txt").read_text().split() == ["likes", "lives"]
    assert run("evaluate", people, "--model", tmp_path / "o.safetensors").code == 0


def test_rows_by_the_ids_of_files(tables, people, tmp_path):
    entities, relations = "d c b a x".split(), ["lives", "likes"]
    ids = write(tmp_path / "entities.dict", "".join(f"{i}\t{label}\n" for i, label in enumerate(entities)))
    lines = write(tmp_path / "relations.lines", "".join(label + "\n" for label in relations))
    common = [tmp_path / "e.npy", "--relations", tmp_path / "r.npy", "--model=rotate"]
    convert(*common, "--entity-ids", ids, "--relation-ids", lines, "--out", tmp_path / "files.safetensors")
    convert(tmp_path / "files.safetensors", "--to=npy", "--out", tmp_path / "files")
    assert (tmp_path / "files/entities.txt").read_text().split() == entities
    assert (tmp_path / "files/relations.txt").read_text().split() == relations

    # The same ids, from a folder that has them.
    convert(people, "--to", "dict", "--out", tmp_path / "dict")
    write(tmp_path / "dict/entities.dict", ids.read_bytes())
    write(tmp_path / "dict/relations.dict", tsv("0 lives", "1 likes"))
    convert(*common, "--order=dataset", "--data", tmp_path / "dict", "--out", tmp_path / "dict.safetensors")
    convert(tmp_path / "dict.safetensors", "--to=npy", "--out", tmp_path / "by-dict")
    for name in ("entities.npy", "relations.npy", "entities.txt", "relations.txt"):
        assert (tmp_path / "by-dict" / name).read_bytes() == (tmp_path / "files" / name).read_bytes()


def test_phases_from_cosines_and_sines(tables, people, tmp_path, numpy):
    phases = numpy.array([[0.01, -0.02, 0.015], [0.02, 0, 0.005]])
    numpy.save(tmp_path / "cs.npy", numpy.hstack([numpy.cos(phases), numpy.sin(phases)]).astype("<f4"))
    convert(tmp_path / "e.npy", "--relations", tmp_path / "cs.npy", "--model=rotate", "--relation-form=cos-sin",
            "--relation-scale=200", "--order=first-appearance", "--data", people, "--out", tmp_path / "o.safetensors")
    convert(tmp_path / "o.safetensors", "--to=npy", "--out", tmp_path / "o")
    difference = numpy.load(tmp_path / "o/relations.npy") - phases * 200
    assert numpy.abs(numpy.exp(1j * difference) - 1).max() < 1e-5
    assert numpy.abs(numpy.load(tmp_path / "o/relations.npy")).max() <= 3.1416


def test_safetensors_of_others(people, tmp_path):
    entities, relations = [float(i) for i in range(10)], [0.5, -0.5, 1.5, 2.5]
    header = {"ent.weight": {"dtype": "F32", "shape": [5, 2], "data_offsets": [0, 40]},
              "rel.weight": {"dtype": "F32", "shape": [2, 2], "data_offsets": [40, 56]}}
    text = json.dumps(header).encode()
    path = write(tmp_path / "other.safetensors",
                 struct.pack("<Q", len(text)) + text + struct.pack("<14f", *entities, *relations))
    common = [path, "--model=distmult", "--order=first-appearance", "--data", people]
    fails(2, r"no float32 tensor 'entities'.*'ent.weight', 'rel.weight'.*--entity-tensor", "convert", *common, "--out",
          tmp_path / "o.safetensors")
    convert(*common, "--entity-tensor=ent.weight", "--relation-tensor=rel.weight", "--out", tmp_path / "o.safetensors")
    convert(tmp_path / "o.safetensors", "--to=word2vec", "--out", tmp_path / "o")
    assert (tmp_path / "o/relations.vec").read_text() == "2 2\nlikes 0.5 -0.5\nlives 1.5 2.5\n"


def test_word2vec_names_its_rows(tmp_path):
    entities = write(tmp_path / "anything", "3 2\nNew York 1 2\nb 3 4\nc 5 6\n")
    relations = write(tmp_path / "r.vec", "2 2\nr 1 2\nr_reverse 3 4\n")
    out = tmp_path / "o.safetensors"
    report = convert(entities, "--relations", relations, "--model=transe", "--similarity=l1", "--reciprocal", "--out",
                     out, "--json").json
    assert (report["similarity"], report["reciprocal"], report["relations"]) == ("l1", True, 1)
    done = convert(out, "--to=word2vec", "--out", tmp_path / "o")
    assert "1 label with spaces" in done.stderr and "gensim" in done.stderr
    assert (tmp_path / "o/entities.vec").read_bytes() == entities.read_bytes()
    assert (tmp_path / "o/relations.vec").read_bytes() == relations.read_bytes()
    write(entities, "2 2\na 1 2\nb 3 nan\n")
    fails(2, "anything: line 3: column 2", "convert", entities, "--relations", relations, "--model=transe", "--out", out)


def test_an_unknown_order_is_refused_with_the_reason(tables, people, tmp_path):
    out = ["--out", tmp_path / "o.safetensors"]
    known = [tmp_path / "e.npy", "--relations", tmp_path / "r.npy", "--model=rotate"]
    fails(2, r"e\.npy: its rows have no names.*--order first-appearance --data DATA.*--entity-ids", "convert", *known,
          *out)
    fails(2, "needs --data", "convert", *known, "--order=first-appearance", *out)
    fails(2, "--data needs --order", "convert", *known, "--data", people, *out)
    fails(2, "no files with ids", "convert", *known, "--order=dataset", "--data", people, *out)
    fails(2, "use --relations", "convert", tmp_path / "e.npy", *out)
    fails(2, "use --model", "convert", tmp_path / "e.npy", "--relations", tmp_path / "r.npy", *out)
    fails(2, r"e\.npy: has 5 rows, but there are [0-9,]+ entity labels", "convert", *known, "--order=first-appearance",
          "--data=world", *out)
    assert not (tmp_path / "o.safetensors").exists()


def test_numbers_that_are_not_finite_are_named(tables, people, tmp_path, numpy):
    entities, _ = tables
    entities[3, 2] = numpy.nan
    numpy.save(tmp_path / "e.npy", entities)
    fails(2, r"e\.npy: row 3, column 2", "convert", tmp_path / "e.npy", "--relations", tmp_path / "r.npy",
          "--model=rotate", "--order=first-appearance", "--data", people, "--out", tmp_path / "o.safetensors")


def test_flags_that_mean_nothing_here_are_refused(trained, people, tmp_path):
    out = tmp_path / "o.safetensors"
    fails(2, "--model does not apply here", "convert", trained, "--model=rotate", "--out", out)
    fails(2, "--split applies to graphs", "convert", trained, "--split=train", "--out", out)
    fails(2, "--valid-share applies to graphs", "convert", trained, "--valid-share=0.1", "--out", out)
    fails(2, "--format and --keep-literals", "convert", trained, "--format=tsv", "--out", out)
    fails(2, "--model applies to embeddings", "convert", people, "--model=rotate", "--out", tmp_path / "g")
    fails(2, "--to npy is for embeddings", "convert", people, "--to=npy", "--out", tmp_path / "g")
    fails(2, "--to nt is for graphs", "convert", trained, "--to=nt", "--out", tmp_path / "g")
    fails(2, r"NAME\.safetensors.*--to npy", "convert", trained, "--out", tmp_path / "g")
    fails(2, "--to npy writes a folder", "convert", trained, "--to=npy", "--out", tmp_path / "g.npy")
    fails(2, r"contains .*choose another folder", "convert", trained, "--to=npy", "--out", people)


def test_what_is_not_read_says_what_to_do(tmp_path):
    out = tmp_path / "o.safetensors"
    fails(2, r"numpy\.save", "convert", write(tmp_path / "m.pt", b"PK\x03\x04rest"), "--out", out)
    fails(2, "cannot be opened", "convert", tmp_path / "gone.npy", "--out", out)
    fails(2, "does not start with", "convert", write(tmp_path / "x.npy", "text"), "--relations",
          write(tmp_path / "y.npy", "text"), "--model=rotate", "--out", out)
    write(tmp_path / "bare/entities.npy", "x")
    fails(2, r"entities\.npy, but no embedding\.json", "convert", tmp_path / "bare", "--out", out)
