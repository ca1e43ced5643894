"""What the build makes for others: the Debian package and the wheel, and a look into their programs."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/release"
PYTHON = "/usr/bin/python3"


def _run(*command, cwd=ROOT):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def make_wheel(folder):
    _run(PYTHON, "python/build_package.py", "--wheel", folder)
    wheel, = folder.glob("*.whl")
    return wheel


def make_deb(folder):
    assert (ROOT / "build/python/greenkgc").exists(), "there is no build/python: `make python` makes it"
    _run("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", folder, cwd=BUILD)
    deb, = folder.glob("*.deb")
    return deb


def unpack_deb(deb, folder):
    _run("dpkg-deb", "-x", deb, folder)
    return folder


def elf_files(folder):
    """Programs and shared libraries: what has a dynamic section."""
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        with open(path, "rb") as file:
            head = file.read(18)
        if head[:4] == b"\x7fELF" and head[16] in (2, 3):  # executable or shared, not an object file
            yield path


def dynamic_entries(path, *names):
    """The bracketed values of these entries of the dynamic section: dynamic_entries(p, "NEEDED")."""
    lines = _run("readelf", "-dW", path).splitlines()
    return [line.rsplit("[", 1)[1].rstrip("]") for line in lines if any(f"({name})" in line for name in names)]
