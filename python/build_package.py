#!/usr/bin/env python3
"""Builds the Python package for the Python that runs this, and is the PEP 517 backend of `pip install .`.

`make python` runs it as a program: the package is then in build/python, ready for PYTHONPATH. `make wheel` runs it with
`--wheel FOLDER`: the wheel there has the command and all libraries too, and runs where only Python is. Nothing but
Debian's packages is needed (scripts/setup.sh), and no network: pip's isolated environment is given no requirements at
all, since CMake, pybind11 and the compiler are the system's.
"""
import argparse
import base64
import fcntl
import functools
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

import bundle

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
        sys.exit(f"greenkgc: {error}; `scripts/setup.sh build python` installs what the build needs")
    if done.returncode != 0:
        sys.stderr.buffer.write(done.stdout)
        sys.exit(f"greenkgc: {' '.join(map(str, command))} failed; `scripts/setup.sh build python` installs what the build needs")


@functools.cache
def lock():
    """Held until this process ends: two that build in the same folders at once would damage each other's files."""
    (ROOT / "build").mkdir(exist_ok=True)
    file = open(ROOT / "build/package.lock", "w")
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


def build(package):
    """Makes the folder of the package: Python files, the extension module, and the library beside it."""
    lock()
    run("scripts/build.sh", "release", "libgreenkgc.so")
    place = ROOT / "build" / f"python-{sys.implementation.cache_tag}"
    run("cmake", "-S", "python", "-B", place, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
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
            "Summary: Knowledge graph completion on ordinary CPUs\nRequires-Python: >=3.9\n"
            "Provides-Extra: numpy\nRequires-Dist: numpy; extra == 'numpy'\n"
            f"Provides-Extra: pandas\nRequires-Dist: pandas; extra == 'pandas'\n"
            f"Description-Content-Type: text/markdown\n\n{readme}")


def wheel_tag(platform):
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{platform.replace('-', '_').replace('.', '_')}"


def files_of(folder):
    """Name, content and whether it is a program, of each file; names begin with the folder's."""
    return [(str(path.relative_to(folder.parent)), path.read_bytes(), os.access(path, os.X_OK))
            for path in sorted(folder.rglob("*")) if path.is_file()]


def about(tag):
    """The files that say what a wheel is."""
    wheel = f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\nTag: {tag}\n"
    own_licenses = [(name, (ROOT / name).read_bytes()) for name in ("LICENSE", "NOTICE") if (ROOT / name).exists()]
    return [("METADATA", metadata().encode()), ("WHEEL", wheel.encode()),
            *((f"licenses/{name}", content) for name, content in own_licenses)]


def write_wheel(folder, tag, files, about_files):
    """`files` are those of the packages, `about_files` pairs of name and content for the folder .dist-info. Returns the
    wheel's name."""
    about_folder = f"{NAME}-{version()}.dist-info"
    record = []
    name = f"{NAME}-{version()}-{tag}.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for path, content, is_program in [*files, *((f"{about_folder}/{path}", content, False) for path, content in about_files)]:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}\n")
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            wheel.writestr(entry, content)
        wheel.writestr(f"{about_folder}/RECORD", "".join(record) + f"{about_folder}/RECORD,,\n")
    return name


def build_self_contained_wheel(wheel_directory):
    package = ROOT / "build" / f"bundle-{sys.implementation.cache_tag}" / NAME
    build(package)
    run("scripts/build.sh", "release", "greenkgc_cli")
    (package / "bin").mkdir()
    shutil.copy(ROOT / "build/release/greenkgc", package / "bin")
    libraries = bundle.bundle(package)
    major, minor = bundle.glibc_version(package.parent)
    tag = wheel_tag(f"manylinux_{major}_{minor}_{os.uname().machine}")
    os.makedirs(wheel_directory, exist_ok=True)
    files = files_of(package) + files_of(package.with_name(f"{NAME}.libs"))
    license_files = [(f"licenses/{name}/copyright", content) for name, content in bundle.licenses(libraries)]
    entry_points = ("entry_points.txt", f"[console_scripts]\n{NAME} = {NAME}._command:main\n".encode())
    return write_wheel(wheel_directory, tag, files, [*about(tag), entry_points, *license_files])


# The hooks of PEP 517.

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = ROOT / "build" / f"wheel-{sys.implementation.cache_tag}" / NAME
    build(package)
    tag = wheel_tag(sysconfig.get_platform())
    return write_wheel(wheel_directory, tag, files_of(package), about(tag))


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


def main():
    parser = argparse.ArgumentParser(description="Builds the Python package into build/python.")
    parser.add_argument("--wheel", metavar="FOLDER", help="make a self-contained wheel in FOLDER instead")
    folder = parser.parse_args().wheel
    if folder is not None:
        name = build_self_contained_wheel(folder)
        print(f"{os.path.join(folder, name)}: install it with pip install FILE")
        return
    build(ROOT / "build/python" / NAME)
    print(f"the package is in build/python: PYTHONPATH=build/python {sys.executable} -c 'import greenkgc'")


if __name__ == "__main__":
    main()
