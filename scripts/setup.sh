#!/usr/bin/env bash
# setup.sh [GROUP...]: installs the Debian packages of these groups that are missing; of all groups if none is named.
# Silent when nothing is missing; uses sudo when not root; names what could not be installed.
set -eu

# What `make demo` needs: a compiler and the libraries. Each other group has only what comes on top.
build=(
  g++ cmake ninja-build pkg-config ccache
  libtomlplusplus-dev nlohmann-json3-dev libspdlog-dev libfmt-dev libyaml-cpp-dev
  libopenblas-dev libhwy-dev libtbb-dev librandom123-dev libserd-dev
  zlib1g-dev libzstd-dev libxxhash-dev libxgboost-dev
  libboost-dev libssl-dev prometheus-cpp-dev
)
# The page of `greenkgc serve`. Debian's npm, unless there is another: that of NodeSource comes with its nodejs and excludes it.
web=()
command -v npm >/dev/null || web+=(nodejs npm)
# The Python module, for Debian's Python.
python=(python3 python3-dev pybind11-dev)
wheel=(patchelf)
deb=(dpkg-dev file)
test=(
  libgtest-dev libgmock-dev clang libclang-rt-dev clang-format binutils zstd curl openssl chromium
  python3-pytest python3-pytest-xdist python3-numpy python3-pandas python3-sklearn python3-pip python3-venv python3-ipython
  mypy man-db mandoc
)
lint=(clang clang-format clang-tidy python3)
bench=(libbenchmark-dev wrk curl python3-numpy python3-pandas)
groups=(build web python wheel deb test lint bench)

[ $# -gt 0 ] || set -- "${groups[@]}"
packages=()
for group in "$@"; do
  case " ${groups[*]} " in
    *" $group "*) ;;
    *) echo "setup: there is no group '$group'; the groups are ${groups[*]}" >&2; exit 2 ;;
  esac
  declare -n of_group=$group
  packages+=("${of_group[@]}")
  unset -n of_group
done

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=()
elif command -v sudo >/dev/null; then
  as_root=(sudo)
else
  echo "setup: these packages are missing and this is neither root nor is there sudo:" >&2
  echo "  ${missing[*]}" >&2
  echo "  as root: apt-get install ${missing[*]}" >&2
  exit 1
fi

echo "setup: installing ${#missing[@]} packages and what they need: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "$@" >"$log" 2>&1
}
"${as_root[@]}" apt-get update -q >"$log" 2>&1 || { cat "$log" >&2; echo "setup: apt-get update failed" >&2; }
if ! install "${missing[@]}"; then
  # One unknown package makes apt refuse them all: go one by one, to name the culprits.
  failed=()
  for package in "${missing[@]}"; do
    install "$package" || { failed+=("$package"); tail -n 3 "$log" >&2; }
  done
  if [ ${#failed[@]} -gt 0 ]; then
    echo "setup: could not install: ${failed[*]}" >&2
    exit 1
  fi
fi
