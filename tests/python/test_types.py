"""Words and types of the Python package."""
import ast
import doctest
import importlib
import inspect
import os
import pkgutil
import subprocess
import sys

import pytest

from package import greenkgc, PACKAGE, ROOT

from greenkgc import _core


def modules():
    return ["greenkgc"] + [f"greenkgc.{m.name}" for m in pkgutil.iter_modules(greenkgc.__path__) if m.name != "_core"]


@pytest.mark.parametrize("name", modules())
def test_docstrings(name, folder, monkeypatch):
    monkeypatch.chdir(folder)
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def public_functions():
    """Name and function of all that users may call."""
    for name in greenkgc.__all__:
        thing = getattr(greenkgc, name)
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing):
            for member, function in vars(thing).items():
                function = getattr(function, "__func__", getattr(function, "fget", function))
                if inspect.isfunction(function) and not member.startswith("_"):
                    yield f"{name}.{member}", function


def test_every_public_thing_is_documented_and_typed():
    for name in greenkgc.__all__:
        thing = getattr(greenkgc, name)
        assert not (inspect.isclass(thing) or inspect.isfunction(thing)) or inspect.getdoc(thing), name
    functions = dict(public_functions())
    assert {"train", "Model.predict", "Model.metrics", "Dataset.from_triples"} <= functions.keys()
    for name, function in functions.items():
        typed = set(function.__annotations__)
        assert set(inspect.signature(function).parameters) - {"self", "cls"} == typed - {"return"}, name
        assert "return" in typed, name


def test_the_stub_of_the_native_module_is_true():
    """Names and parameters; pybind11 writes signatures into the docstrings."""
    def parameters_in_stub(node):
        return [a.arg for a in node.args.args]

    def parameters_in_doc(function):
        line = function.__doc__.splitlines()[0]
        inside = line[line.index("(") + 1:line.rindex(") ->")]
        names, depth = [], 0
        for part in inside.split(", "):
            if depth == 0 and part:
                names.append(part.split(":")[0].strip())
            depth += part.count("[") - part.count("]")
        return names

    def native_functions(owner):
        return {name: value for name, value in vars(owner).items()
                if callable(value) and not inspect.isclass(value) and (not name.startswith("_") or name == "__init__")}

    tree = ast.parse((ROOT / "python/greenkgc/_core.pyi").read_text())
    stubs = {"": {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            stubs[node.name] = {n.name: n for n in node.body if isinstance(n, ast.FunctionDef)}
    natives = {"": native_functions(_core)}
    natives.update({name: native_functions(value) for name, value in vars(_core).items() if inspect.isclass(value)})
    assert natives.keys() == stubs.keys()
    for owner, functions in natives.items():
        made_here = {n: f for n, f in functions.items() if n != "__init__" or "__init__" in stubs[owner]}
        assert made_here.keys() == stubs[owner].keys(), owner
        for name in made_here:
            function = getattr(getattr(_core, owner) if owner else _core, name)
            assert parameters_in_doc(function) == parameters_in_stub(stubs[owner][name]), (owner, name)


def test_keywords_are_typed_as_the_library_declares_them():
    printed = subprocess.run([sys.executable, ROOT / "scripts/python_options.py"], check=True, capture_output=True, text=True,
                             env=dict(os.environ, PYTHONPATH=str(PACKAGE))).stdout
    assert printed == (ROOT / "python/greenkgc/_options.pyi").read_text()


def test_types_are_consistent(tmp_path):
    pytest.importorskip("mypy")
    user = tmp_path / "user.py"
    user.write_text("import greenkgc\nmodel = greenkgc.train('world', dims=4, embed={'rate': 0.1})\n"
                    "probability: float = model.predict_tails('a', 'b')[0].probability\n")
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import greenkgc\ngreenkgc.train('world', dims='4')\ngreenkgc.train('world', dimz=4)\n"
                     "answer: int = greenkgc.load('m').predict_tails('a', 'b')[0].answer\n")

    def mypy(*files):
        return subprocess.run([sys.executable, "-m", "mypy", "--config-file", "python/mypy.ini", *files], cwd=ROOT,
                              capture_output=True, text=True, env=dict(os.environ, MYPYPATH=str(ROOT / "python")))

    right = mypy("python/greenkgc", "examples/python/countries.py", user)
    assert right.returncode == 0, right.stdout + right.stderr
    assert mypy(wrong).stdout.count("error:") == 3
