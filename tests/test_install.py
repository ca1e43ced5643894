"""What C++ users get: an installed tree that find_package() finds, with a library that the public headers suffice for.
And what Debian's users get: a package with the Python module too."""
import os
import re
import subprocess

import pytest

import artifacts
from artifacts import BUILD, ROOT


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("prefix")
    subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, capture_output=True)
    return prefix


def test_installed_command_runs(prefix):
    out = subprocess.run([prefix / "bin/greenkgc", "--version"], check=True, capture_output=True, text=True).stdout
    assert "greenkgc" in out


def test_man_page_is_installed(prefix):
    assert (prefix / "share/man/man1/greenkgc.1").read_text().startswith(".TH GREENKGC 1")


def build(source, place, prefix):
    for command in (["cmake", "-S", source, "-B", place, f"-DCMAKE_PREFIX_PATH={prefix}"], ["cmake", "--build", place]):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def run(program, *arguments, **options):
    return subprocess.run([program, *arguments], capture_output=True, text=True, **options)


def test_cpp_example_builds_and_runs(prefix, tmp_path):
    build(ROOT / "examples/cpp", tmp_path / "build", prefix)
    model = tmp_path / "run/model.gkgc"
    first = run(tmp_path / "build/ask", tmp_path / "run", "Norway", "borders")
    assert first.returncode == 0, first.stderr
    assert model.exists() and "borders" in first.stdout
    lines = first.stdout.splitlines()
    answers = [line.split()[-1] for line in lines[-5:]]
    assert len(set(answers)) == 5
    again = run(tmp_path / "build/ask", tmp_path / "run", "Norway", "borders")  # the model is there: no training
    assert again.stdout.splitlines()[-5:] == lines[-5:]
    wrong = run(tmp_path / "build/ask", tmp_path / "run", "Norwy", "borders")
    assert wrong.returncode == 2 and "did you mean 'Norway'" in wrong.stderr


def test_cpp_user_builds_and_runs(prefix, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(user CXX)\nfind_package(greenkgc REQUIRED)\n"
        "add_executable(user user.cc)\ntarget_link_libraries(user PRIVATE greenkgc::greenkgc)\n")
    (tmp_path / "user.cc").write_text(
        '#include <greenkgc/greenkgc.h>\n#include <cstdio>\n'
        "int main() {\n"
        '  const auto graph = greenkgc::Dataset::load("world", {}, {});\n'
        '  const auto norway = graph.find_entity("Norway");\n'
        '  std::printf("%u %d\\n", graph.entity_count(), norway.has_value());\n'
        '  try { greenkgc::Dataset::load("/nowhere", {}, {}); } catch (const greenkgc::Error& e) { std::puts(e.what()); }\n'
        "}\n")
    build(tmp_path, tmp_path / "build", prefix)
    environment = dict(os.environ, LD_LIBRARY_PATH=":".join(str(p.parent) for p in prefix.rglob("libgreenkgc.so")))
    out = subprocess.run([tmp_path / "build/user"], check=True, capture_output=True, text=True, env=environment).stdout
    lines = out.splitlines()
    assert int(lines[0].split()[0]) > 2000 and lines[0].endswith(" 1")
    assert "/nowhere" in lines[1]


# The Debian package.

@pytest.fixture(scope="module")
def deb(tmp_path_factory):
    return artifacts.make_deb(tmp_path_factory.mktemp("deb"))


@pytest.fixture(scope="module")
def tree(deb, tmp_path_factory):
    return artifacts.unpack_deb(deb, tmp_path_factory.mktemp("tree"))


def debian_version():
    return run(artifacts.PYTHON, "-c", "import sys; print('3.%d' % sys.version_info[1], '3.%d' % (sys.version_info[1] + 1))").stdout.split()


def package_names(text):
    return set(re.findall(r"[a-z][a-z0-9.+-]+", re.sub(r"\([^)]*\)", "", text)))


def relations(package, field):
    return package_names(run("dpkg-query", "-W", "-f", f"${{{field}}}", package).stdout)


def test_package_depends_on_all_that_it_needs(deb, tree):
    depends = run("dpkg-deb", "-f", deb, "Depends").stdout
    this, following = debian_version()
    assert f"python3 (>= {this}~), python3 (<< {following}~)" in depends
    assert run("dpkg-deb", "-f", deb, "Recommends").stdout.strip() == "python3-numpy"
    packages = package_names(depends)
    for name in list(packages):  # some only choose among others: libopenblas0
        packages |= relations(name, "Depends")
    needed = {name for path in artifacts.elf_files(tree) for name in artifacts.dynamic_entries(path, "NEEDED")}
    assert "libserd-0.so.0" in needed and "libgreenkgc.so.0" in needed
    for name in needed - {"libgreenkgc.so.0"}:
        owners = {line.split(":")[0] for line in run("dpkg", "-S", f"*/{name}").stdout.splitlines()}
        provided = {name for owner in owners for name in relations(owner, "Provides")}  # libspdlog1.10-fmt9
        assert (owners | provided) & packages, f"no dependency has {name}, which is in {owners}"


def test_package_has_the_command_and_the_python_module(tree, tmp_path):
    assert "greenkgc" in run(tree / "usr/bin/greenkgc", "--version").stdout
    assert (tree / "usr/share/man/man1/greenkgc.1.gz").exists()
    library, = tree.rglob("libgreenkgc.so.0")
    assert not list(tree.glob("usr/lib/python3/**/libgreenkgc*")), "the module uses the package's library"
    code = "import greenkgc; print(greenkgc.__file__, len(greenkgc.load_dataset('world').facts('train')) > 2000)"
    done = run(artifacts.PYTHON, "-c", code, cwd=tmp_path, env={
        "PYTHONPATH": str(tree / "usr/lib/python3/dist-packages"), "LD_LIBRARY_PATH": str(library.parent)})
    assert done.returncode == 0 and done.stdout.startswith(str(tree)) and done.stdout.endswith("True\n"), done.stderr
