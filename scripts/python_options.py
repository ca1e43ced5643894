#!/usr/bin/env python3
"""Prints greenkgc/_options.pyi: the keyword arguments of each function, from the library's declarations.

PYTHONPATH=build/python scripts/python_options.py > python/greenkgc/_options.pyi; a test compares the two.
"""
from greenkgc import options

FUNCTIONS = ("train", "evaluate", "load_dataset", "write")
TYPES = {"bool": "bool", "int": "int", "float": "float", "str": "str", "list": "Union[str, Sequence[str]]"}


def class_name(function):
    return "".join(word.capitalize() for word in function.split("_")) + "Options"


def type_of(option):
    if option.type == "str" and option.choices:
        return f"Literal[{', '.join(repr(choice) for choice in option.choices)}]"
    return TYPES[option.type]


def named(option):
    """Each name of an option with its type."""
    return [(name, type_of(option)) for name in [option.name, *option.aliases]]


def typed_dict(name, rows):
    fields = "".join(f"    {field}: Optional[{kind}]\n" for field, kind in rows)
    return f"\nclass {name}(TypedDict, total=False):\n{fields}"


def stage_dict(name, rows):
    """Not a class: lambda is the name of an option."""
    fields = "".join(f"    {field!r}: Optional[{kind}],\n" for field, kind in rows)
    return f"\n{name} = TypedDict({name!r}, {{\n{fields}}}, total=False)\n"


def keywords(function, declared):
    """Those of no stage, the stages' dicts, and the names that only one stage has."""
    free = [option for option in declared if not option.stage]
    stages = list(dict.fromkeys(option.stage for option in declared if option.stage))
    text = ""
    for stage in stages:
        text += stage_dict(f"{stage.capitalize()}Stage", [row for o in declared if o.stage == stage for row in named(o)])
    names = [option.name for option in declared]
    rows = [row for option in free for row in named(option)]
    rows += [(stage, f"{stage.capitalize()}Stage") for stage in stages]
    rows += [row for o in declared if o.stage and names.count(o.name) == 1 for row in named(o)]
    return text + typed_dict(class_name(function), rows)


def main():
    print("# Written by scripts/python_options.py; options(function) says what each means.")
    print("from typing import Literal, Optional, Sequence, TypedDict, Union")
    for function in FUNCTIONS:
        print(keywords(function, options(function)), end="")


if __name__ == "__main__":
    main()
