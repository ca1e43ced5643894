"""No program or library of ours has the loader look in the current folder, nor anywhere relative to it: an entry of its
search path begins with / or with $ORIGIN, and none is empty. A file laid there would be executed."""
import subprocess
import zipfile

import artifacts
from artifacts import BUILD, ROOT


def bad_entries(path):
    entries = [entry for value in artifacts.dynamic_entries(path, "RUNPATH", "RPATH") for entry in value.split(":")]
    return [entry for entry in entries if not (entry.startswith("/") or entry.split("/")[0] == "$ORIGIN")]


def check(folder, *expected):
    """Also that the folder has what it is said to have, or nothing would be checked."""
    files = list(artifacts.elf_files(folder))
    names = " ".join(path.name for path in files)
    for name in expected:
        assert name in names, f"{name} is not in {folder}"
    assert {str(path): bad for path in files if (bad := bad_entries(path))} == {}


def test_the_check_sees_a_bad_entry(tmp_path):
    (tmp_path / "x.c").write_text("int x;")
    for path, bad in (("/usr/lib:", [""]), ("lib", ["lib"]), ("$ORIGINAL/x", ["$ORIGINAL/x"]), ("/a:$ORIGIN/../b", [])):
        subprocess.run(["g++", "-shared", "-fPIC", "-x", "c", "x.c", "-o", "x.so", f"-Wl,-rpath,{path}"], cwd=tmp_path, check=True)
        assert bad_entries(tmp_path / "x.so") == bad


def test_build():
    check(BUILD, "greenkgc", "libgreenkgc.so", "greenkgc_tests")


def test_python_package():
    check(ROOT / "build/python", "_core", "libgreenkgc.so")


def test_installed_tree(tmp_path):
    subprocess.run(["cmake", "--install", BUILD, "--prefix", tmp_path], check=True, capture_output=True)
    check(tmp_path, "greenkgc", "libgreenkgc.so")


def test_debian_package(tmp_path):
    check(artifacts.unpack_deb(artifacts.make_deb(tmp_path / "made"), tmp_path / "tree"), "greenkgc", "libgreenkgc.so", "_core")


def test_wheel(tmp_path):
    with zipfile.ZipFile(artifacts.make_wheel(tmp_path / "made")) as wheel:
        wheel.extractall(tmp_path / "tree")
    check(tmp_path / "tree", "greenkgc", "libgreenkgc.so", "_core", "libopenblas")


def test_a_library_in_the_current_folder_is_not_loaded(tmp_path):
    (tmp_path / "libserd-0.so.0").write_text("not a library")
    done = subprocess.run([BUILD / "greenkgc", "--version"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'build/python')!r}); import greenkgc"
    done = subprocess.run([artifacts.PYTHON, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
