#!/usr/bin/env python3
"""Builds the Python package for the Python that runs this, and is the PEP 517 backend of `pip install .`.

`make python` runs it as a program: the package is then in build/python, ready for PYTHONPATH. Nothing but Debian's
packages is needed (`make setup`), and no network: pip's isolated environment is given no requirements at all, since
CMake, pybind11 and the compiler are the system's.
"""
import base64
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "greenkgc"


def version():
    found = re.search(r"^project\(greenkgc VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
    return found.group(1)


def run(*command):
    """Silent unless it fails."""
    try:
        done = subprocess.run([str(word) for word in command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except OSError as error:
        sys.exit(f"greenkgc: {error}; `make setup` installs what the build needs")
    if done.returncode != 0:
        sys.stderr.buffer.write(done.stdout)
        sys.exit(f"greenkgc: {' '.join(map(str, command))} failed; `make setup` installs what the build needs")


def build(package):
    """Makes the folder of the package: Python files, the extension module, and the library beside it."""
    run("scripts/build.sh", "release", "libgreenkgc.so")
    place = ROOT / "build" / f"python-{sys.implementation.cache_tag}"
    run("cmake", "-S", "python", "-B", place, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DGREENKGC_WERROR=ON",
        f"-Dgreenkgc_DIR={ROOT / 'build/release'}", f"-DPython_EXECUTABLE={sys.executable}")
    run("cmake", "--build", place)
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(ROOT / "python/greenkgc", package, ignore=shutil.ignore_patterns("__pycache__"))
    for module in place.glob(f"_core*{sysconfig.get_config_var('EXT_SUFFIX')}"):
        shutil.copy(module, package)
    shutil.copy(ROOT / "build/release/libgreenkgc.so.0", package)


def metadata():
    readme = (ROOT / "python/README.md").read_text()
    return (f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version()}\n"
            "Summary: Knowledge graph completion on ordinary CPUs\nRequires-Python: >=3.9\nRequires-Dist: numpy\n"
            f"Provides-Extra: pandas\nRequires-Dist: pandas; extra == 'pandas'\n"
            f"Description-Content-Type: text/markdown\n\n{readme}")


def wheel_tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def write_wheel(path, files):
    """`files` are pairs of name and bytes; their record comes last."""
    record = []
    record_name = f"{NAME}-{version()}.dist-info/RECORD"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")
            wheel.writestr(name, content)
        wheel.writestr(record_name, "".join(record) + f"{record_name},,\n")


# The hooks of PEP 517.

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = ROOT / "build" / f"wheel-{sys.implementation.cache_tag}" / NAME
    build(package)
    tag = wheel_tag()
    about = f"{NAME}-{version()}.dist-info"
    files = [(f"{NAME}/{path.relative_to(package)}", path.read_bytes())
             for path in sorted(package.rglob("*")) if path.is_file()]
    files.append((f"{about}/METADATA", metadata().encode()))
    files.append((f"{about}/WHEEL",
                  f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()))
    name = f"{NAME}-{version()}-{tag}.whl"
    write_wheel(os.path.join(wheel_directory, name), files)
    return name


def build_sdist(sdist_directory, config_settings=None):
    base = f"{NAME}-{version()}"
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    path = os.path.join(sdist_directory, base + ".tar.gz")
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name in filter(None, tracked):
            archive.add(ROOT / name, f"{base}/{name}")
        about = tarfile.TarInfo(f"{base}/PKG-INFO")
        about.size = len(metadata().encode())
        archive.addfile(about, io.BytesIO(metadata().encode()))
    return os.path.basename(path)


if __name__ == "__main__":
    build(ROOT / "build/python" / NAME)
    print(f"the package is in build/python: PYTHONPATH=build/python {sys.executable} -c 'import greenkgc'")
