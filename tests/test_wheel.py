"""The wheel of `make wheel`: in a virtual environment that has nothing else, it trains and answers."""
import base64
import csv
import hashlib
import io
import json
import re
import subprocess
import zipfile

import pytest

import artifacts

BASE = re.compile(r"^(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+))\.so\.[0-9]+$")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return artifacts.make_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def env(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("env")
    subprocess.run([artifacts.PYTHON, "-m", "venv", folder], check=True)
    pip = subprocess.run([folder / "bin/pip", "install", "--no-index", "--quiet", wheel], capture_output=True, text=True)
    assert pip.returncode == 0, pip.stdout + pip.stderr
    return folder


def run(*command, cwd):
    """With an empty environment: no LD_LIBRARY_PATH, no PYTHONPATH."""
    return subprocess.run([str(word) for word in command], cwd=cwd, env={"LANG": "C.UTF-8"}, capture_output=True, text=True)


def test_name_size_and_record(wheel):
    assert wheel.stat().st_size <= 40_000_000
    assert re.fullmatch(r"greenkgc-[0-9.]+-cp3\d+-cp3\d+-manylinux_2_\d+_\w+\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
        about = next(name for name in names if name.endswith("/RECORD")).split("/")[0]
        rows = list(csv.reader(io.StringIO(files.read(f"{about}/RECORD").decode())))
        assert sorted(row[0] for row in rows) == sorted(names)
        for name, digest, size in rows:
            content = files.read(name)
            if name != f"{about}/RECORD":
                sha = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                assert (digest, int(size)) == (f"sha256={sha}", len(content))
        assert f"Tag: {'-'.join(wheel.stem.split('-')[2:])}\n" in files.read(f"{about}/WHEEL").decode()
        for package in ("libopenblas0-pthread", "libtbb12", "nlohmann-json3-dev"):
            assert b"icense" in files.read(f"{about}/licenses/{package}/copyright")


def test_nothing_but_the_base_of_every_system_is_needed(env):
    site, = env.glob("lib/python3*/site-packages")
    bundled = {path.name for path in (site / "greenkgc.libs").iterdir()} | {"libgreenkgc.so.0"}
    files = [*artifacts.elf_files(site / "greenkgc"), *artifacts.elf_files(site / "greenkgc.libs")]
    assert len(files) > 10
    for path in files:
        for name in artifacts.dynamic_entries(path, "NEEDED"):
            assert name in bundled or BASE.match(name), f"{path} needs {name}"


def test_the_command_trains_and_answers(env, tmp_path):
    trained = run(env / "bin/greenkgc", "train", "world", "--epochs", 3, "--dims", 16, "--keep-dims", 8, "--decide.trees", 20,
                  "--rerank.trees", 20, "--out", "run", cwd=tmp_path)
    assert trained.returncode == 0, trained.stderr
    asked = run(env / "bin/greenkgc", "predict", "--model", "run/model.gkgc", "--head", "Norway", "--relation", "borders",
                "--top-k", 3, "--json", cwd=tmp_path)
    assert asked.returncode == 0, asked.stderr
    assert len(json.loads(asked.stdout)["answers"]) == 3
    wrong = run(env / "bin/greenkgc", "predict", "--nonsense", cwd=tmp_path)
    assert wrong.returncode == 2 and "nonsense" in wrong.stderr


def test_python_trains_and_answers_without_numpy(env, tmp_path):
    code = """
import greenkgc
data = greenkgc.load_dataset("world", progress=False)
model = greenkgc.train(data, dims=8, epochs=2, keep_dims=4, second_stage="no", decide={"trees": 5}, progress=False)
print(len(model.predict_tails("Norway", "borders", 3)), repr(data).count("train"), len(data.facts("test")[0]))
for call in (data.triples, model.embeddings):
    try:
        call()
    except ImportError as error:
        print(error)
"""
    done = run(env / "bin/python", "-c", code, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    counts, *messages = done.stdout.splitlines()
    assert counts == "3 1 3" and len(messages) == 2
    assert all("pip install numpy" in message for message in messages)
