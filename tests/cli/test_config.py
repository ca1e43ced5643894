"""--config FILE: names, tables, precedence, errors with file and line."""

import os

import pytest
from program import fails, run, write

SMALL = "entities = 100\nrelations = 3\ntriples = 500\n"


def generated(tmp_path, config, *flags):
    """What the options came to, as the JSON result tells it."""
    path = write(tmp_path / "run.toml", config)
    done = run("generate", "--config", path, "--out", tmp_path / "out", "--json", *flags)
    assert done.code == 0, done.stderr
    return done.json


def test_top_level_keys(tmp_path):
    result = generated(tmp_path, SMALL + "seed = 9\n")
    assert (result["entities"], result["relations"], result["triples"], result["seed"]) == (100, 3, 500, 9)


def test_a_table_named_after_the_command_wins(tmp_path):
    result = generated(tmp_path, SMALL + "[generate]\nentities = 120\nnoise = 0\n[stats]\ntop = 3\n")
    assert (result["entities"], result["triples"]) == (120, 500)


def test_flags_win(tmp_path):
    result = generated(tmp_path, SMALL + "seed = 9\n[generate]\nentities = 120\n", "--entities=150", "--seed", "1")
    assert (result["entities"], result["triples"], result["seed"]) == (150, 500, 1)


def test_required_options_may_come_from_the_file(tmp_path):
    path = write(tmp_path / "run.toml", SMALL + f"out = '{tmp_path}/there'\n")
    assert run("generate", "--config", path).code == 0
    assert "train.txt" in os.listdir(tmp_path / "there")


def test_the_record_of_a_run_repeats_it(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    flags = ["--entities", "200", "--triples", "1500", "--noise", "0.2", "--compress", "gz", "--seed", "123"]
    assert run("generate", *flags, "--out", first).code == 0
    assert run("generate", "--config", first / "config.toml", "--out", second).code == 0
    assert sorted(os.listdir(first)) == sorted(os.listdir(second))
    for name in os.listdir(first):
        assert (first / name).read_bytes() == (second / name).read_bytes(), name


BAD_CONFIGS = {
    "unknown key": ("\ntripels = 5\n", r"run\.toml line 2: .*'tripels'.*did you mean triples\?"),
    "unknown key in table": ("[generate]\ntripels = 5\n", r"run\.toml line 2: .*'tripels'.*did you mean triples\?"),
    "key spelt as flag": ("valid-share = 0.1\n", r"run\.toml line 1: .*did you mean valid_share\?"),
    "key of another command": ("top = 5\n", r"run\.toml line 1: generate has no option 'top'"),
    "unknown table": ("\n\n[generat]\n", r"run\.toml line 3: .*'generat'.*did you mean generate\?"),
    "out of range": ("noise = 7\n", r"run\.toml line 1: noise must be between 0 and 1, not 7"),
    "infinite": ("noise = inf\n", r"run\.toml line 1: noise must be finite"),
    "text for a number": ("noise = 'x'\n", r"run\.toml line 1: noise needs a number, not 'x'"),
    "real for a whole": ("entities = 100.0\n", r"run\.toml line 1: entities needs a whole number, not 100\.0"),
    "truth for a number": ("entities = true\n", r"run\.toml line 1: entities needs a whole number, not true"),
    "list of numbers": ("entities = [1]\n", r"run\.toml line 1: entities"),
    "date": ("entities = 1979-05-27\n", r"run\.toml line 1: entities"),
    "text for a switch": ("quiet = 'yes'\n", r"run\.toml line 1: quiet needs true or false, not 'yes'"),
    "not a choice": ("compress = 'zsd'\n", r"run\.toml line 1: compress must be one of .*did you mean zst\?"),
    "another config": ("config = 'other.toml'\n", r"run\.toml line 1: .*'config'"),
    "wrong TOML": ("entities = = 5\n", r"run\.toml line 1"),
    "key twice": ("entities = 70\nentities = 80\n", r"run\.toml line 2"),
    "not UTF-8": (b"entities = 70\n\xff\n", r"run\.toml line [123]"),
    "deep nesting": ("a = " + "[" * 100_000, r"run\.toml line 1"),
    "too large": ("#" * 2_000_000, r"run\.toml.*1 MB"),
}


@pytest.mark.parametrize("case", BAD_CONFIGS)
def test_wrong_config_is_refused_with_file_and_line(case, tmp_path):
    config, pattern = BAD_CONFIGS[case]
    path = write(tmp_path / "run.toml", config)
    fails(2, pattern, "generate", "--config", path, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_config_that_is_not_there(tmp_path):
    fails(2, r"nope\.toml.*no such file", "stats", "x", "--config", tmp_path / "nope.toml")
    fails(2, "folder", "stats", "x", "--config", tmp_path)


def test_quiet_in_the_file_and_verbose_as_flag_contradict(tmp_path):
    path = write(tmp_path / "run.toml", "quiet = true\n")
    fails(2, "--quiet and --verbose", "stats", "x", "--config", path, "--verbose")
