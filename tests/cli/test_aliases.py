"""Other names of options, and choices in any letter case: as flags and as config keys."""

import pytest
from program import fails, run, write

EMBED = ["--dims=4", "--epochs=2", "--negatives=16", "--batch=64"]


def embedded(chain, tmp_path, *args):
    out = tmp_path / "e.safetensors"
    done = run("embed", chain, *EMBED, *args, "--out", out)
    assert done.code == 0, done.stderr
    return out.read_bytes()


@pytest.mark.parametrize("alias", ["--lr", "--learning-rate"])
def test_an_alias_is_the_option(alias, chain, tmp_path):
    expected = embedded(chain, tmp_path, "--rate=0.05")
    assert embedded(chain, tmp_path, f"{alias}=0.05") == expected
    assert embedded(chain, tmp_path, alias, "0.05") == expected
    assert embedded(chain, tmp_path) != expected


@pytest.mark.parametrize("alias", ["lr", "learning_rate"])
def test_an_alias_is_a_config_key(alias, chain, tmp_path):
    expected = embedded(chain, tmp_path, "--rate=0.05")
    for text in (f"{alias} = 0.05\n", f"[embed]\n{alias} = 0.05\n"):
        assert embedded(chain, tmp_path, "--config", write(tmp_path / "run.toml", text)) == expected
    flag_wins = embedded(chain, tmp_path, "--config", write(tmp_path / "run.toml", f"{alias} = 7.0\n"), "--rate=0.05")
    assert flag_wins == expected


def test_a_stage_has_its_aliases(chain, tmp_path):
    args = ["--epochs=1", "--dims=4", "--second-stage=no", "--decide.trees=2", "--embed.lr=0.05", "--decide.learning-rate=0.5"]
    done = run("train", chain, *args, "--out", tmp_path / "run", "--quiet")
    assert done.code == 0, done.stderr
    record = (tmp_path / "run/config.toml").read_text()
    assert "rate = 0.05\n" in record and "rate = 0.5\n" in record and "lr =" not in record
    fails(2, "--lr is ambiguous: --embed.rate or --decide.rate", "train", chain, "--lr=0.1", "--out", tmp_path / "o")


def test_two_names_of_one_option_are_refused(chain, tmp_path):
    embed = ["embed", chain, "--out", tmp_path / "e.safetensors"]
    fails(2, "--rate and --lr are the same option; give one", *embed, "--rate=0.1", "--lr=0.1")
    fails(2, "--learning-rate and --lr are the same option", *embed, "--learning-rate=0.1", "--lr=0.1")
    fails(2, "--lr is given more than once", *embed, "--lr=0.1", "--lr=0.1")
    config = write(tmp_path / "run.toml", "rate = 0.1\nlr = 0.1\n")
    fails(2, r"run\.toml line [12]: (lr and rate|rate and lr) are the same option", *embed, "--config", config)
    train = ["train", chain, "--out", tmp_path / "run"]
    fails(2, "--embed.rate and --embed.lr are the same option", *train, "--embed.rate=0.1", "--embed.lr=0.1")
    config = write(tmp_path / "run.toml", "[embed]\nlearning_rate = 0.1\nrate = 0.1\n")
    fails(2, r"run\.toml line [23]: .* are the same option", *train, "--config", config)


def test_messages_name_the_flag_as_it_was_given(chain, tmp_path):
    embed = ["embed", chain, "--out", tmp_path / "e.safetensors"]
    fails(2, "--lr must be between", *embed, "--lr=1000")
    fails(2, "--lr needs a number, not 'fast'", *embed, "--lr=fast")
    fails(2, r"unknown option --learning-rat; did you mean --learning-rate\?", *embed, "--learning-rat=0.1")


def test_help_mentions_aliases():
    text = " ".join(run("embed", "--help").stdout.split())
    assert "also --lr, --learning-rate" in text


def test_choices_in_any_letter_case(chain, tmp_path):
    expected = embedded(chain, tmp_path, "--model=transe", "--loss=softmax")
    assert embedded(chain, tmp_path, "--model=TransE", "--loss=SoftMax") == expected
    config = write(tmp_path / "run.toml", "model = 'TRANSE'\nloss = 'Softmax'\n")
    assert embedded(chain, tmp_path, "--config", config) == expected
    fails(2, r"--model must be one of .*not 'TransF' \(did you mean transe\?\)", "embed", chain, "--model=TransF",
          "--out", tmp_path / "x")
