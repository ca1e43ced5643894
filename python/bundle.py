"""Makes a package's folder self-contained: what `auditwheel repair` does, with patchelf, for Debian has no auditwheel.

Every shared library that the package's programs need is copied into a folder beside the package, but for those that each
system with Python has (BASE_LIBRARIES). A copy's name has a hash of its content, so that no other library of the
process is taken for it; programs and copies find each other relative to themselves ($ORIGIN).
"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Those of manylinux: glibc, which cannot be bundled, and the compiler's runtime, of which a process must have but one.
BASE_LIBRARIES = re.compile(r"^(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|util|resolv|gcc_s|stdc\+\+))\.so(\.[0-9]+)*$")
# Libraries that are compiled in from headers alone, whose licenses hold for the programs too.
HEADER_PACKAGES = ("nlohmann-json3-dev", "librandom123-dev", "libtomlplusplus-dev", "libboost-dev", "pybind11-dev")


def output(*command):
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    except OSError as error:
        sys.exit(f"greenkgc: {error}; `scripts/setup.sh build python wheel` installs what a wheel needs")
    if done.returncode != 0:
        sys.exit(f"greenkgc: {' '.join(map(str, command))} failed: {done.stderr.strip()}")
    return done.stdout


def elf_files(folder):
    def is_elf(path):
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and is_elf(path)]


def needed_libraries(program, package):
    """Name and path of each library that the loader would load for the program and that must be bundled."""
    found = {}
    for line in output("ldd", program).splitlines():
        name, arrow, path = line.strip().partition(" => ")
        if not arrow or BASE_LIBRARIES.match(name):
            continue
        if path.startswith("not found"):
            sys.exit(f"greenkgc: {program} needs {name}, which is not installed")
        library = pathlib.Path(path.rsplit(" (", 1)[0]).resolve()
        if package not in library.parents:
            found[name] = library
    return found


def hashed_name(name, library):
    stem, suffix = name.split(".so", 1)
    return f"{stem}-{hashlib.sha256(library.read_bytes()).hexdigest()[:8]}.so{suffix}"


def rename_needed(path, new_names, search_path):
    replacements = [word for name in output("patchelf", "--print-needed", path).split() if name in new_names
                    for word in ("--replace-needed", name, new_names[name])]
    if replacements:
        output("patchelf", *replacements, path)
    output("patchelf", "--set-rpath", search_path, path)  # patchelf 0.14 mixes the strings up if it is told both at once


def bundle(package):
    """Copies the libraries into PACKAGE.libs beside the folder PACKAGE; returns their paths in the system."""
    programs = elf_files(package)
    libraries = {}
    for program in programs:
        libraries.update(needed_libraries(program, package))
    new_names = {name: hashed_name(name, library) for name, library in libraries.items()}
    folder = package.with_name(package.name + ".libs")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, library in libraries.items():
        copy = folder / new_names[name]
        shutil.copyfile(library, copy)
        output("patchelf", "--set-soname", copy.name, copy)
        rename_needed(copy, new_names, "$ORIGIN")
    for program in programs:
        output("strip", program)  # before patchelf, whose files strip may damage
        way = os.path.relpath(folder, program.parent)
        rename_needed(program, new_names, f"$ORIGIN:$ORIGIN/{way}")
    return sorted(set(libraries.values()))


def glibc_version(folder):
    """The newest glibc, as (2, n), of which a symbol is needed by anything in the folder."""
    versions = re.findall(r"\bGLIBC_([0-9]+)\.([0-9]+)\b", "".join(output("readelf", "-VW", path) for path in elf_files(folder)))
    return max((int(major), int(minor)) for major, minor in versions)


def debian_package(library):
    """The package that has this library. It may know it by its path of the time before /lib became a link to /usr/lib."""
    for path in (str(library), str(library).removeprefix("/usr")):
        found = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    sys.exit(f"greenkgc: no Debian package has {library}, so its license is not known")


def licenses(libraries):
    """Pairs of a Debian package's name and its copyright file, of bundled and of compiled-in libraries."""
    packages = {debian_package(library) for library in libraries}.union(HEADER_PACKAGES)
    return [(name, pathlib.Path("/usr/share/doc", name, "copyright").read_bytes()) for name in sorted(packages)]
