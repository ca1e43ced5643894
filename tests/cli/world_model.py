"""What the small model of world in conftest.py was trained on, and what it answers."""

from program import run


def facts_of(model, split):
    lines = (model.parent / "world" / f"{split}.txt").read_text().splitlines()
    return [tuple(line.split("\t")) for line in lines]


def asked(model, *args):
    done = run("predict", "--model", model, *args, "--json")
    assert done.code == 0, done.stderr
    return done.json["answers"]
