"""Every bad input ends with exit code 1 or 2 and one line that names the file and the place."""

import contextlib
import gzip
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile

import pytest
from program import BIN, environment, fails, run, tsv, write

OPENKE = {
    "entity2id.txt": "3\na\t0\nb\t1\nc\t2\n",
    "relation2id.txt": "1\nr\t0\n",
    "train2id.txt": "2\n0 1 0\n1 2 0\n",
    "valid2id.txt": "1\n0 2 0\n",
    "test2id.txt": "1\n2 0 0\n",
}
DICT = {
    "entities.dict": "0\ta\n1\tb\n2\tc\n",
    "relations.dict": "0\tr\n",
    "train.txt": tsv("a r b", "b r c"),
    "valid.txt": tsv("a r c"),
    "test.txt": tsv("c r a"),
}


def one_file(content, name="t.tsv"):
    return lambda folder: write(folder / name, content)


def files(base, **changes):
    """The folder `base` with some files changed: a key train2id_txt stands for train2id.txt."""

    def make(folder):
        for name, content in {**base, **{k.replace("_", "."): v for k, v in changes.items()}}.items():
            write(folder / "data" / name, content)
        return folder / "data"

    return make


def cut(pack, name):
    """A compressed file that ends in its middle."""

    def make(folder):
        text = "".join(f"e{i * 7919 % 10007}\tr{i % 13}\te{i}\n" for i in range(20_000)).encode()
        packed = pack(text)
        return write(folder / name, packed[: len(packed) // 2])

    return make


def zstd(text):
    if shutil.which("zstd") is None:
        pytest.skip("no zstd here to make the file")
    return subprocess.run(["zstd", "-c"], input=text, stdout=subprocess.PIPE, check=True).stdout


def folder_in_place_of(name):
    def make(folder):
        (folder / "data" / name).mkdir(parents=True)
        return folder / "data"

    return make


PLACE = r".*(line|byte) "
BAD_INPUTS = {
    "missing column": (one_file("a\tr\tb\na\tr\n"), r"t\.tsv.*line 2\b"),
    "extra column": (one_file("a\tr\tb\na\tr\tb\tc\td\n"), r"t\.tsv.*line 2\b"),
    "no columns": (one_file("a\tr\tb\n\nword\n"), r"t\.tsv.*line [23]\b"),
    "NUL byte": (one_file(b"a\tr\tb\nx\0y\tr\tb\n"), r"t\.tsv" + PLACE),
    "empty file": (one_file(""), r"t\.tsv"),
    "only a BOM": (one_file(b"\xef\xbb\xbf"), r"t\.tsv"),
    "empty head": (one_file("a\tr\tb\n\tr\tb\n"), r"t\.tsv.*line 2\b"),
    "empty relation": (one_file("a\tr\tb\na\t\tb\n"), r"t\.tsv.*line 2\b"),
    "empty tail": (one_file("a\tr\tb\na\tr\t\n"), r"t\.tsv.*line 2\b"),
    "line of 100 MB": (one_file(b"a\tr\tb\n" + b"x" * (100 << 20)), r"t\.tsv" + PLACE),
    "label of 100 MB": (one_file(b"a\tr\tb\nb\tr\t" + b"x" * (100 << 20) + b"\n"), r"t\.tsv" + PLACE),
    "weight that is no number": (one_file("a\tr\tb\t1\nb\tr\tc\theavy\n"), r"t\.tsv.*line 2\b"),
    "weight that is not finite": (one_file("a\tr\tb\t1\nb\tr\tc\tnan\n"), r"t\.tsv.*line 2\b"),
    "entity ids with a gap": (files(OPENKE, entity2id_txt="3\na\t0\nb\t1\nc\t3\n"), r"entity2id\.txt" + PLACE),
    "entity id twice": (files(OPENKE, entity2id_txt="3\na\t0\nb\t1\nc\t1\n"), r"entity2id\.txt" + PLACE),
    "entity label twice": (files(OPENKE, entity2id_txt="3\na\t0\nb\t1\na\t2\n"), r"entity2id\.txt" + PLACE),
    "fewer entities than counted": (files(OPENKE, entity2id_txt="4\na\t0\nb\t1\nc\t2\n"), r"entity2id\.txt"),
    "more entities than counted": (files(OPENKE, entity2id_txt="2\na\t0\nb\t1\nc\t2\n"), r"entity2id\.txt"),
    "absurd entity count": (files(OPENKE, entity2id_txt="99999999999999\na\t0\n"), r"entity2id\.txt"),
    "tail beyond the count": (files(OPENKE, train2id_txt="2\n0 1 0\n1 7 0\n"), r"train2id\.txt.*line 3\b"),
    "relation beyond the count": (files(OPENKE, train2id_txt="2\n0 1 0\n1 2 5\n"), r"train2id\.txt.*line 3\b"),
    "id that does not fit": (files(OPENKE, train2id_txt="1\n0 99999999999999999999 0\n"), r"train2id\.txt.*line 2\b"),
    "id that is negative": (files(OPENKE, train2id_txt="1\n0 -1 0\n"), r"train2id\.txt.*line 2\b"),
    "fewer triples than counted": (files(OPENKE, train2id_txt="5\n0 1 0\n1 2 0\n"), r"train2id\.txt"),
    "more triples than counted": (files(OPENKE, train2id_txt="1\n0 1 0\n1 2 0\n"), r"train2id\.txt"),
    "absurd triple count": (files(OPENKE, train2id_txt="99999999999999\n0 1 0\n"), r"train2id\.txt"),
    "count that is no number": (files(OPENKE, train2id_txt="many\n0 1 0\n"), r"train2id\.txt.*line 1\b"),
    "dict with a gap": (files(DICT, entities_dict="0\ta\n1\tb\n3\tc\n"), r"entities\.dict" + PLACE),
    "dict id twice": (files(DICT, entities_dict="0\ta\n1\tb\n1\tc\n"), r"entities\.dict" + PLACE),
    "dict label twice": (files(DICT, entities_dict="0\ta\n1\tb\n2\tb\n"), r"entities\.dict" + PLACE),
    "dict id that is no number": (files(DICT, entities_dict="0\ta\nx\tb\n2\tc\n"), r"entities\.dict.*line 2\b"),
    "label that the dict lacks": (files(DICT, test_txt=tsv("c r a", "z r a")), r"test\.txt.*line 2\b.*z"),
    "relation that the dict lacks": (files(DICT, train_txt=tsv("a r b", "b q c")), r"train\.txt.*line 2\b.*q"),
    "truncated gzip": (cut(gzip.compress, "t.tsv.gz"), r"t\.tsv\.gz"),
    "truncated zstd": (cut(zstd, "t.tsv.zst"), r"t\.tsv\.zst"),
    "gzip with nothing after its mark": (one_file(b"\x1f\x8b", "t.tsv.gz"), r"t\.tsv\.gz"),
    "N-Triples without an object": (one_file("<u:a> <u:r> <u:b> .\n<u:a> <u:r> .\n", "t.nt"), r"t\.nt.*line 2\b"),
    "N-Triples with an open IRI": (one_file("<u:a> <u:r> <u:b .\n", "t.nt"), r"t\.nt.*line 1\b"),
    "Turtle with an unknown prefix": (one_file("<u:a> <u:r> <u:b> .\nx:a x:r x:b .\n", "t.ttl"), r"t\.ttl.*line 2\b"),
    "Turtle that stops": (one_file("@prefix x: <u:> .\nx:a x:r x:b ;\n", "t.ttl"), r"t\.ttl" + PLACE),
    "N-Quads with five terms": (one_file("<u:a> <u:r> <u:b> <u:g> <u:h> .\n", "t.nq"), r"t\.nq.*line 1\b"),
    "TriG with an open graph": (one_file("<u:g> { <u:a> <u:r> <u:b> .\n", "t.trig"), r"t\.trig" + PLACE),
    "RDF of literals only": (one_file('<u:a> <u:r> "text" .\n', "t.nt"), r"t\.nt"),
    "folder without train": (files({"valid.txt": tsv("a r b"), "test.txt": tsv("a r b")}), r"data.*train"),
    "empty folder": (lambda folder: folder, "train"),
    "train is a folder": (folder_in_place_of("train.txt"), r"train\.txt|data.*train"),
    "no such path": (lambda folder: folder / "nope.tsv", r"nope\.tsv"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_INPUTS)
def test_bad_input_is_refused(case, tmp_path):
    make, pattern = BAD_INPUTS[case]
    fails(2, pattern, "stats", make(tmp_path))


@pytest.mark.parametrize("base", [OPENKE, DICT], ids=["openke", "dict"])
def test_the_unchanged_folders_are_good(base, tmp_path):
    done = run("stats", files(base)(tmp_path), "--json")
    assert done.code == 0, done.stderr
    assert done.json["entities"] == 3
    assert [split["triples"] for split in done.json["splits"].values()] == [2, 1, 1]


def test_a_given_format_is_taken_at_its_word(tmp_path):
    path = write(tmp_path / "t.tsv", "a\tr\tb\n")
    fails(2, r"t\.tsv" + PLACE, "stats", path, "--format", "nt")


@contextlib.contextmanager
def open_folder():
    """A folder that other users may enter, unlike pytest's own."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="greenkgc-test-"))
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def fails_without_privileges(code, pattern, folder, *args):
    """As fails(), but root becomes nobody first, with a copy of the program that nobody can reach."""
    program = folder / "greenkgc"
    shutil.copy(BIN, program)
    program.chmod(0o755)
    if os.geteuid() != 0:
        command = [program]
    elif shutil.which("setpriv"):
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program]
    else:
        pytest.skip("root may read everything, and there is no setpriv to become nobody")
    if subprocess.run([*command, "--version"], capture_output=True, cwd="/", check=False).returncode != 0:
        pytest.skip("the program cannot be run as nobody here")
    done = subprocess.run(
        [*command, *args], capture_output=True, text=True, env=environment(), cwd="/", check=False, timeout=60
    )
    assert done.returncode == code, done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert re.search(pattern, done.stderr), done.stderr


def test_no_permission_to_read():
    with open_folder() as folder:
        path = write(folder / "secret.tsv", tsv("a r b"))
        path.chmod(0)
        fails_without_privileges(1, r"secret\.tsv.*[Pp]ermission", folder, "stats", path)


def test_no_permission_to_write():
    with open_folder() as folder:
        path = write(folder / "t.tsv", tsv("a r b"))
        (folder / "locked").mkdir(mode=0o555)
        out = folder / "locked/o.tsv"
        fails_without_privileges(1, r"o\.tsv.*[Pp]ermission", folder, "convert", path, "--out", out)
        assert os.listdir(folder / "locked") == []


def test_a_full_device(chain):
    fails(1, "/dev/full.*[Nn]o space", "convert", chain, "--out", "/dev/full", "--to", "tsv")


def test_a_full_disk_leaves_nothing_behind(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("a small disk cannot be mounted here")
    try:
        fails(1, "[Nn]o space", "generate", "--triples", 100_000, "--out", disk / "out")
        assert [path for path in disk.rglob("*") if path.is_file()] == []
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_file_size_limit_is_an_error_like_a_full_disk(tmp_path):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    fails(1, r"train\.txt.*[Ll]arge", "generate", "--triples", 100_000, "--out", tmp_path / "out", preexec_fn=limit)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_an_output_that_is_in_the_way(chain, tmp_path):
    write(tmp_path / "taken", "x")
    for args in (["generate", "--out", tmp_path / "taken"], ["convert", chain, "--to=nt", "--out", tmp_path / "taken/x"]):
        done = run(*args)
        assert done.code in (1, 2)
        assert len(done.stderr.splitlines()) == 1 and "taken" in done.stderr
    assert (tmp_path / "taken").read_text() == "x"
