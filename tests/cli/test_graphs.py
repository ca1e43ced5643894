"""stats, convert and generate on graphs that can be checked by hand."""

import gzip
import os
import subprocess

import pytest
from program import fails, run, tsv, write

FORMATS = ["tsv", "csv", "dict", "openke", "libkge", "nt", "ttl", "nq", "trig"]


def stats(*args):
    done = run("stats", *args, "--json")
    assert done.code == 0, done.stderr
    return done.json


def facts_in(folder, suffix=""):
    """All lines of the three splits."""
    lines = []
    for split in ("train", "valid", "test"):
        lines += (folder / f"{split}.txt{suffix}").read_text().splitlines()
    return lines


def test_stats_counts(people):
    found = stats(people)
    assert (found["entities"], found["relations"], found["unseen_entities"]) == (5, 2, 1)
    assert list(found["splits"]) == ["train", "valid", "test"]
    assert {name: split["triples"] for name, split in found["splits"].items()} == {"train": 6, "valid": 1, "test": 2}
    assert found["splits"]["train"]["duplicates"] == 1
    test = found["splits"]["test"]
    assert (test["in_train"], test["inverse_in_train"], test["pair_linked"]) == (1, 1, 1)
    assert (test["unseen_entity"], test["unseen_relation"], test["self_loops"]) == (1, 0, 0)
    assert (test["head_in_range"], test["tail_in_range"]) == (0.5, 1.0)
    valid = found["splits"]["valid"]
    assert (valid["in_train"], valid["head_in_range"], valid["tail_in_range"]) == (0, 0.0, 1.0)


def test_stats_of_relations(people):
    found = stats(people)
    by_label = {relation.pop("relation"): relation for relation in found["by_relation"]}
    assert by_label["likes"] == {
        "train": 2, "valid": 1, "test": 2, "heads": 2, "tails": 2, "tails_per_head": 1.0, "heads_per_tail": 1.0,
        "category": "1-1", "symmetry": 1.0,
    }  # fmt: skip
    assert by_label["lives"] == {
        "train": 3, "valid": 0, "test": 0, "heads": 3, "tails": 1, "tails_per_head": 1.0, "heads_per_tail": 3.0,
        "category": "N-1", "symmetry": 0.0,
    }  # fmt: skip
    assert found["categories"]["1-1"] == {"relations": 1, "triples": 2}
    assert found["categories"]["N-1"] == {"relations": 1, "triples": 3}
    assert found["categories"]["N-N"] == {"relations": 0, "triples": 0}
    assert found["inverse_pairs"] == [{"relation": "likes", "inverse": "likes", "overlap": 1.0}]
    assert found["degrees"]["histogram"][0] == {"from": 0, "to": 0, "entities": 1}
    assert sum(bucket["entities"] for bucket in found["degrees"]["histogram"]) == 5


def test_stats_report_is_readable(people):
    text = run("stats", people).stdout
    assert "5 entities, 2 relations" in text
    lines = {line.split("  ")[1]: line for line in text.splitlines() if line.startswith("  ")}
    assert "train 1 (16.7%)" in lines["duplicate lines"]
    assert "test 1 (50.0%)" in lines["also in train"]
    assert lines["head is tail"].split()[-1] == "none"
    assert lines["unseen relation"].split()[-1] == "none"
    assert "N-1" in lines["lives"]
    assert "█" in text
    assert text.index("lives") < text.index("likes"), "the relation with most facts comes first"


def test_top_cuts_the_list_and_says_so(people):
    text = run("stats", people, "--top", "1").stdout
    assert "and 1 more" in text
    assert "more (" not in run("stats", people, "--top", "0").stdout
    assert len(stats(people, "--top", "1")["by_relation"]) == 2


def test_labels_may_be_any_bytes_and_do_not_control_the_terminal(tmp_path):
    path = write(tmp_path / "odd.tsv", b"a\t\x1b[31mred\xff\tb\nb\t\x1b[31mred\xff\ta\n")
    done = run("stats", path)
    assert "\x1b" not in done.stdout
    assert r"\x1b[31mred\xff" in done.stdout
    assert run("stats", path, "--json").json["by_relation"][0]["relation"] == "\x1b[31mred\ufffd"


def test_a_single_file_is_split_and_every_entity_stays_in_train(tmp_path):
    dense = write(tmp_path / "dense.tsv", tsv(*[f"e{i} r e{j}" for i in range(30) for j in range(30) if i != j]))
    found = stats(dense)
    assert abs(found["splits"]["valid"]["triples"] - 0.05 * 870) <= 1
    assert abs(found["splits"]["test"]["triples"] - 0.05 * 870) <= 1
    assert sum(split["triples"] for split in found["splits"].values()) == 870
    assert found["unseen_entities"] == 0
    assert stats(dense, "--threads=1") == found
    assert stats(dense, "--valid-share=0", "--test-share=0")["splits"]["train"]["triples"] == 870


def test_world_is_a_graph():
    found = stats("world")
    assert sum(split["triples"] for split in found["splits"].values()) >= 3000
    assert found["relations"] >= 12
    assert {c for c, v in found["categories"].items() if v["relations"]} >= {"1-N", "N-N"}


@pytest.mark.parametrize(
    "content",
    [b"a\tr\tb\r\nb\tr\tc\r\n", b"\xef\xbb\xbfa\tr\tb\nb\tr\tc\n", b"\xef\xbb\xbfa\tr\tb\r\nb\tr\tc", b"a\tr\tb\t0.5\nb\tr\tc\t1\n"],
    ids=["crlf", "bom", "bom, crlf, no last newline", "weights"],
)  # fmt: skip
def test_harmless_oddities_are_accepted(content, tmp_path):
    path = write(tmp_path / "t.tsv", content)
    found = stats(path, "--valid-share=0", "--test-share=0")
    assert (found["entities"], found["relations"], found["splits"]["train"]["triples"]) == (3, 1, 2)


@pytest.mark.parametrize("name", FORMATS)
def test_convert_keeps_the_graph(name, people, tmp_path):
    out = tmp_path / f"people-{name}"
    done = run("convert", people, "--out", out, "--to", name, "--json")
    assert done.code == 0, done.stderr
    assert done.json["triples"] == {"train": 6, "valid": 1, "test": 2}
    assert {entry["path"] for entry in done.json["written"]} == {str(path) for path in out.rglob("*") if path.is_file()}
    before, after = stats(people), stats(out)
    del before["read"], after["read"]
    assert after == before


@pytest.mark.parametrize("name", FORMATS)
def test_convert_there_and_back(name, people, tmp_path):
    assert run("convert", people, "--out", tmp_path / "there", "--to", name).code == 0
    assert run("convert", tmp_path / "there", "--out", tmp_path / "back", "--to", "tsv").code == 0
    for split in ("train", "valid", "test"):
        [back] = (tmp_path / "back").glob(f"{split}.*")
        assert back.read_bytes() == (people / f"{split}.txt").read_bytes()


@pytest.mark.parametrize("suffix, unpack", [(".gz", ["gzip", "-dc"]), (".zst", ["zstd", "-dc"])])
def test_convert_compresses_by_name(suffix, unpack, chain, tmp_path):
    out = tmp_path / f"chain.tsv{suffix}"
    assert run("convert", chain, "--out", out).code == 0
    try:
        assert subprocess.run([*unpack, out], stdout=subprocess.PIPE, check=True).stdout == chain.read_bytes()
    except FileNotFoundError:
        pytest.skip(f"no {unpack[0]} here to look into the file")
    assert stats(out)["entities"] == 200


def test_a_single_file_stays_whole_when_converted(chain, tmp_path):
    done = run("convert", chain, "--out", tmp_path / "same.tsv", "--json")
    assert done.json["triples"] == {"train": 200}
    assert (tmp_path / "same.tsv").read_text() == chain.read_text()


def test_a_single_file_is_split_on_request(tmp_path):
    dense = write(tmp_path / "dense.tsv", tsv(*[f"e{i} r e{j}" for i in range(20) for j in range(20)]))
    done = run("convert", dense, "--out", tmp_path / "folder", "--to", "tsv", "--valid-share=0.1", "--json")
    assert set(done.json["triples"]) == {"train", "valid"}
    assert abs(done.json["triples"]["valid"] - 40) <= 1


def test_convert_tells_what_was_understood_and_written(chain, tmp_path):
    text = run("convert", chain, "--out", tmp_path / "o.nt").stdout
    assert "200" in text and "chain.tsv" in text
    assert str(tmp_path / "o.nt") in text


@pytest.mark.parametrize("out", ["-", "/dev/stdout"])
def test_convert_to_standard_output_writes_nothing_but_the_data(out, chain, tmp_path):
    with open(tmp_path / "o", "wb") as file:
        done = run("convert", chain, "--out", out, "--to", "tsv", stdout=file)
    assert done.code == 0, done.stderr
    assert (tmp_path / "o").read_text() == chain.read_text()
    assert "Written" in done.stderr
    (tmp_path / "link").symlink_to("/dev/stdout")
    with open(tmp_path / "o", "wb") as file:
        assert run("convert", chain, "--out", tmp_path / "link", stdout=file).code == 0
    assert (tmp_path / "o").read_text() == chain.read_text()
    fails(2, "--to dict writes a folder", "convert", chain, "--out", out, "--to", "dict")
    done = run("convert", chain, "--out", out, "--quiet")
    assert (done.stdout, done.stderr) == (chain.read_text(), "")


def test_convert_does_not_mix_two_graphs(people, chain, tmp_path):
    out = tmp_path / "o"
    assert run("convert", people, "--out", out).code == 0
    fails(2, r"valid\.txt.*would be read as part.*choose another", "convert", chain, "--out", out)
    fails(2, r"train\.txt.*would be read as part", "convert", chain, "--out", out, "--to", "nt")
    assert stats(out)["splits"]["train"]["triples"] == 6


def test_contradictions_are_refused(people, chain, tmp_path):
    fails(2, "--valid-share 0.1 applies to a single file", "stats", people, "--valid-share=0.1")
    fails(2, "world is the built-in graph.*--format nt", "stats", "world", "--format", "nt")
    fails(2, r"w\.foo/ for a folder, or .*w\.foo\.nt for a file", "convert", chain, "--out", tmp_path / "w.foo", "--to", "nt")


def test_world_hides_no_folder_silently(people, tmp_path):
    people.rename(tmp_path / "world")
    done = run("stats", "world", cwd=tmp_path)
    assert "./world" in done.stderr
    assert stats(tmp_path / "world")["entities"] == 5


def test_an_old_output_stays_when_convert_fails(tmp_path):
    old = write(tmp_path / "o.tsv", "precious\n")
    bad = write(tmp_path / "bad.tsv", "a\tr\tb\nx\n")
    fails(2, r"bad\.tsv.*line 2", "convert", bad, "--out", old)
    assert old.read_text() == "precious\n"
    assert sorted(os.listdir(tmp_path)) == ["bad.tsv", "o.tsv"]


def test_generate_makes_what_was_asked_for(tmp_path):
    out = tmp_path / "g"
    done = run("generate", "--entities", 500, "--relations", 7, "--triples", 4000, "--out", out, "--json")
    assert done.code == 0, done.stderr
    assert sorted(os.listdir(out)) == ["config.toml", "test.txt", "train.txt", "valid.txt"]
    lines = facts_in(out)
    assert len(lines) == len(set(lines)) == 4000
    found = stats(out)
    assert (found["entities"], found["relations"], found["unseen_entities"]) == (500, 7, 0)
    assert {entry["path"] for entry in done.json["written"]} == {str(path) for path in out.iterdir()}


def test_generate_is_a_function_of_options_and_seed(tmp_path):
    def facts(name, *flags):
        assert run("generate", "--entities=300", "--triples=3000", "--out", tmp_path / name, *flags).code == 0
        return facts_in(tmp_path / name)

    first = facts("a", "--threads=1")
    assert facts("b", "--threads=2") == first
    assert facts("c", "--seed=43") != first


def test_generate_compresses(tmp_path):
    for name, compress in (("plain", "none"), ("gz", "gz")):
        assert run("generate", "--entities=300", "--triples=3000", "--out", tmp_path / name, "--compress", compress).code == 0
    packed = gzip.decompress((tmp_path / "gz/train.txt.gz").read_bytes())
    assert packed == (tmp_path / "plain/train.txt").read_bytes()
