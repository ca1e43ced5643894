"""Without npm, or without its registry, the build goes on and says what is missing; once they are there, the next build has
the page. On a copy of the sources, with an npm of the test's own."""
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEFT_OUT = "The web page of greenkgc serve is left out"
# What npm does for scripts/build_web.sh, as far as it is told to by a file beside it: broken, offline or fine.
NPM = """#!/bin/sh
state=$(cat "$(dirname "$0")/state")
case "$1 $state" in
  "config "*) echo https://registry.example/ ;;
  "ci offline") echo "network request failed"; exit 1 ;;
  "ci "*) mkdir -p node_modules ;;
  "run broken") echo "main.ts: syntax error"; exit 1 ;;
  "run "*) mkdir -p "$5"; echo "<p>the page</p>" > "$5/index.html" ;;
esac
"""


class Build:
    def __init__(self, folder):
        self.source, self.programs, self.build = folder / "source", folder / "programs", folder / "build"
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        for name in filter(None, tracked.split("\0")):
            if (ROOT / name).exists():
                (self.source / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, self.source / name)
        self.programs.mkdir()
        for place in ("/usr/bin", "/bin"):
            for program in os.listdir(place):
                if program not in ("npm", "node") and not (self.programs / program).is_symlink():
                    (self.programs / program).symlink_to(f"{place}/{program}")
        self.run("cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DGREENKGC_TESTS=OFF", "-DGREENKGC_BENCHMARKS=OFF")

    def run(self, *command):
        done = subprocess.run(list(map(str, command)), env=dict(os.environ, PATH=str(self.programs)), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.status = done.returncode
        return done.stdout

    def npm(self, state):
        (self.programs / "npm").write_text(NPM)
        (self.programs / "npm").chmod(0o755)
        (self.programs / "state").write_text(state)

    def page(self):
        """Builds the source file that has the page, and returns what the build said."""
        return self.run("ninja", "-C", self.build, "generated/web_files.cc")

    @property
    def made(self):
        return self.build / "generated/web_files.cc"


@pytest.fixture
def build(tmp_path):
    return Build(tmp_path)


def test_without_npm_the_page_is_left_out_until_it_is_there(build):
    said = build.page()
    assert build.status == 0 and LEFT_OUT in said and "npm is not here" in said and "scripts/setup.sh web" in said
    assert "kFile0" not in build.made.read_text()
    written = build.made.stat().st_mtime_ns
    assert LEFT_OUT in build.page() and build.made.stat().st_mtime_ns == written  # said again, but nothing is compiled again
    build.npm("offline")
    said = build.page()
    assert build.status == 0 and LEFT_OUT in said and "network request failed" in said and "registry.example" in said
    build.npm("fine")
    assert LEFT_OUT not in build.page() and '{"/", view(kFile0)' in build.made.read_text()
    assert "no work to do" in build.page()


def test_a_fault_of_the_page_ends_the_build(build):
    build.npm("broken")
    said = build.page()
    assert build.status != 0 and "syntax error" in said and "vite failed" in said
