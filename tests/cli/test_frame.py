"""Help, version, usage errors, JSON, exit codes, standard streams."""

import json
import os
import subprocess

import pytest
from program import BIN, environment, fails, run, tsv, write

COMMANDS = ["stats", "convert", "generate"]


def test_help_lists_the_commands():
    done = run("--help")
    assert done.code == 0
    assert done.stderr == ""
    for command in COMMANDS:
        assert any(line.split()[:1] == [command] for line in done.stdout.splitlines())


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_usage_options_and_example(command):
    done = run(command, "--help")
    assert done.code == 0
    assert f"Usage: greenkgc {command}" in done.stdout
    assert f"  greenkgc {command} " in done.stdout.split("Example")[1]
    assert "--threads" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_help_shows_defaults_ranges_and_choices():
    text = " ".join(run("generate", "--help").stdout.split())
    assert "64 to 4000000000; default 10000" in text
    assert "default 0.05" in text
    text = " ".join(run("stats", "--help").stdout.split())
    assert "auto, tsv, csv," in text


def test_convert_does_not_split_by_default():
    text = " ".join(run("convert", "--help").stdout.split())
    assert text.count("0 to 0.5; default 0)") == 2


def test_help_wins_over_what_is_wrong():
    assert run("generate", "--bogus", "--help").code == 0
    assert run("--threads", "2", "stats", "-h").stdout.startswith("greenkgc stats")


def test_nothing_to_do_shows_help():
    done = run()
    assert done.code == 2
    assert "generate" in done.stderr
    assert done.stdout == ""


def test_version():
    done = run("--version")
    assert done.code == 0
    assert done.stdout.startswith("greenkgc ")
    for word in ("kernels", "BLAS", "compiler"):
        assert word in done.stdout
    info = run("--version", "--json").json
    assert set(info) == {"version", "kernels", "kernels_forced", "blas", "compiler"}
    assert info["kernels_forced"] is False
    assert info["kernels"] in done.stdout


def test_kernels_can_be_forced():
    names = ["SSE2", "SSSE3", "SSE4", "AVX2", "AVX3", "AVX3_DL", "AVX3_ZEN4", "AVX3_SPR", "NEON", "SVE", "SVE2"]
    default = run("--version", "--json").json["kernels"]
    forced = []
    for name in names:
        done = run("--version", "--json", env={"GREENKGC_KERNELS": name})
        if done.code == 2:
            continue
        assert (done.code, done.json["kernels"], done.json["kernels_forced"]) == (0, name, True)
        forced.append(name)
    assert default in forced
    assert run("--version", "--json", env={"GREENKGC_KERNELS": default.lower()}).json["kernels"] == default
    assert "GREENKGC_KERNELS" in run("--version", env={"GREENKGC_KERNELS": default}).stdout


def test_forced_kernels_give_the_same_result(people):
    expected = run("stats", people, "--json").stdout
    for name in ("SSE4", "AVX2", run("--version", "--json").json["kernels"]):
        done = run("stats", people, "--json", env={"GREENKGC_KERNELS": name})
        assert done.code == 2 or done.stdout == expected


def test_unknown_kernels_are_refused(people):
    for args in (["--version"], ["stats", people]):
        fails(2, "GREENKGC_KERNELS.*AXV2", *args, env={"GREENKGC_KERNELS": "AXV2"})


USAGE_ERRORS = [
    (["stat"], r"unknown command 'stat'.*did you mean stats\?"),
    (["walrus"], r"unknown command 'walrus' .*--help"),
    (["--threads", "2"], "command"),
    (["generate", "--tripels", "5"], r"unknown option --tripels; did you mean --triples\?.*generate --help"),
    (["generate", "--tripels=5"], r"unknown option --tripels; did you mean --triples\?"),
    (["stats", "--keep_literals", "x"], r"did you mean --keep-literals\?"),
    (["stats", "-x", "y"], "unknown option -x"),
    (["--bogus"], "unknown option --bogus"),
    (["stats"], "stats needs DATA"),
    (["stats", ""], "stats needs DATA"),
    (["stats", "a", "b"], "'b'"),
    (["stats", "a", "--json", "b.json"], "--json=b.json"),
    (["convert", "a"], "convert needs --out"),
    (["generate"], "generate needs --out"),
    (["generate", "--out"], "--out needs a value"),
    (["generate", "--out", "--quiet"], "--out needs a value"),
    (["generate", "--out", ""], "--out needs a value"),
    (["stats", "a", "--config="], "--config needs a value"),
    (["--threads", "2", "stats", "a", "--threads=2"], "--threads is given more than once"),
    (["stats", "a", "--quiet", "--quiet"], "--quiet is given more than once"),
    (["stats", "a", "--quiet", "--verbose"], "--quiet and --verbose"),
    (["stats", "a", "--threads", "-1"], "--threads must be between 0 and 1024, not -1"),
    (["stats", "a", "--threads", "1025"], "--threads must be between 0 and 1024, not 1025"),
    (["stats", "a", "--threads", "two"], "--threads needs a whole number, not 'two'"),
    (["stats", "a", "--threads", "1.5"], "--threads needs a whole number, not '1.5'"),
    (["stats", "a", "--seed", "-1"], "--seed must be at least 0, not -1"),
    (["stats", "a", "--quiet=maybe"], "--quiet needs true or false, not 'maybe'"),
    (["stats", "a", "--format", "tvs"], r"--format must be one of auto, tsv.*not 'tvs' \(did you mean tsv\?\)"),
    (["generate", "--out", "x", "--noise", "abc"], "--noise needs a number, not 'abc'"),
    (["generate", "--out", "x", "--noise", "nan"], "--noise needs a number, not 'nan'"),
    (["generate", "--out", "x", "--noise", "1.5"], "--noise must be between 0 and 1, not 1.5"),
    (["generate", "--out", "x", "--entities", "9" * 30], "--entities must be between 64 and 4000000000"),
    (["stats\nx"], r"stats\\x0ax"),
]


@pytest.mark.parametrize("args, pattern", USAGE_ERRORS, ids=[" ".join(args) for args, _ in USAGE_ERRORS])
def test_wrong_usage_is_refused_in_one_sentence(args, pattern, tmp_path):
    fails(2, pattern, *args, cwd=tmp_path)
    assert os.listdir(tmp_path) == []


def test_a_word_after_two_dashes_is_not_a_flag(tmp_path):
    write(tmp_path / "--odd.tsv", tsv("a r b", "b r a"))
    assert run("stats", "--", "--odd.tsv", cwd=tmp_path).code == 0


def test_global_options_stand_before_or_after_the_command(people):
    expected = run("stats", people, "--json").stdout
    assert run("--json", "--threads=1", "stats", people).stdout == expected
    assert run("stats", "--json", people, "--threads", "2").stdout == expected


def test_json_to_a_file_comes_with_the_tables(people, tmp_path):
    target = write(tmp_path / "deep/result.json", "old")
    done = run("stats", people, f"--json={target}")
    assert done.code == 0
    assert done.stdout == run("stats", people).stdout
    assert json.loads(target.read_text()) == run("stats", people, "--json").json
    assert os.listdir(target.parent) == ["result.json"]


def test_json_that_cannot_be_written(people, tmp_path):
    fails(2, f"{tmp_path}.*folder", "stats", people, f"--json={tmp_path}")
    fails(1, "/dev/full.*[Nn]o space", "stats", people, "--json=/dev/full")


def test_a_full_standard_output_is_a_failure(people):
    with open("/dev/full", "wb") as full:
        for args in (["stats", people], ["stats", people, "--json"], ["--help"], ["--version"]):
            fails(1, "output.*[Nn]o space", *args, stdout=full)


def test_a_closed_standard_output_is_a_failure(people):
    fails(1, "output", "stats", people, stdout=None, preexec_fn=lambda: os.close(1))


def test_results_do_not_go_where_standard_output_was(chain, tmp_path):
    done = run("convert", chain, "--out", tmp_path / "o.tsv", stdout=None, preexec_fn=lambda: os.close(1))
    assert done.code == 1
    assert (tmp_path / "o.tsv").read_text() == chain.read_text()


def test_a_reader_that_leaves_ends_the_program_quietly(people):
    reading, writing = os.pipe()
    os.close(reading)
    done = run("stats", people, "--json", stdout=writing)
    os.close(writing)
    assert (done.code, done.stderr) == (1, "")


def test_help_is_a_word_too():
    assert run("help").stdout == run("--help").stdout
    assert run("help", "stats").stdout == run("stats", "--help").stdout
    fails(2, "unknown command 'stat'", "help", "stat")
    assert "GREENKGC_KERNELS" in run("--help").stdout


def test_closed_standard_error_does_no_harm(people):
    process = subprocess.run(
        [BIN, "stats", people], stdout=subprocess.PIPE, env=environment(), preexec_fn=lambda: os.close(2), check=False
    )
    assert process.returncode == 0
    assert process.stdout


def test_quiet_says_nothing_but_the_result(people):
    done = run("stats", people, "--quiet")
    assert (done.code, done.stderr) == (0, "")
    assert done.stdout == run("stats", people).stdout


def test_verbose_says_more(people):
    assert "kernels" in run("stats", people, "--verbose").stderr
    assert "kernels" not in run("stats", people).stderr
