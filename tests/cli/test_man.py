"""The man page: written by the program from the declarations that --help is written from."""
import re
import shutil
import subprocess

import pytest
from program import run


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("man") / "greenkgc.1"
    path.write_text(run("help", "--man").stdout)
    return path


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"there is no {program}")


@needs("mandoc")
def test_mandoc_has_no_complaints(page):
    said = subprocess.run(["mandoc", "-T", "lint", page], capture_output=True, text=True).stdout.splitlines()
    # A date would change with every build.
    assert [line for line in said if "missing date" not in line] == []


@needs("man")
def test_man_has_no_warnings(page):
    done = subprocess.run(["man", "--warnings", "-l", "-E", "UTF-8", "-Tutf8", page], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == ""
    assert "complete knowledge graphs" in done.stdout


def test_every_command_and_flag_of_help_is_there(page):
    text = page.read_text().replace("\\-", "-").replace("\\&", "")
    listed = run("--help").stdout.split("Commands\n")[1].split("\nOptions")[0]
    commands = re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)
    assert len(commands) >= 16
    for command in commands:
        section = text.split(f".SS greenkgc {command}\n")[1].split(".SS ")[0].split(".SH ")[0]
        own = run(command, "--help").stdout.split("\nOptions\n")[1].split("\nOptions of every command\n")[0]
        flags = re.findall(r"^  (--\S+)", own, re.MULTILINE)
        assert flags
        for flag in flags:
            assert f"\n.B {flag}" in section, (command, flag)
        assert run(command, "--help").stdout.strip().splitlines()[-1].strip() in section
    for flag in ("--threads N", "--seed N", "--json[=FILE]"):
        assert f".B {flag}\n" in text


def test_no_line_of_text_is_taken_for_a_request(page):
    known = {"TH", "SH", "SS", "PP", "TP", "B", "I", "RI", "nf", "fi", "RS", "RE", "sp", "nh", "ad"}
    for line in page.read_text().splitlines():
        if line.startswith((".", "'")):
            assert line.split()[0][1:] in known, line
