#!/usr/bin/env bash
# Installs the Debian packages that the build, the tests and the benchmarks need.
# Silent when nothing is missing; uses sudo when not root; names what could not be installed.
set -eu

packages=(
  # build
  g++ cmake ninja-build pkg-config ccache
  # libraries (design.md, section 6)
  libtomlplusplus-dev nlohmann-json3-dev libspdlog-dev libfmt-dev libyaml-cpp-dev
  libopenblas-dev libhwy-dev libtbb-dev librandom123-dev libserd-dev
  zlib1g-dev libzstd-dev libxxhash-dev zstd libxgboost-dev libcpp-httplib-dev prometheus-cpp-dev
  # the Python module
  python3 python3-dev python3-numpy pybind11-dev
  # tests, fuzzers, benchmarks, lint
  libgtest-dev libgmock-dev libbenchmark-dev clang libclang-rt-dev clang-format clang-tidy dpkg-dev file curl
  wrk python3-pytest python3-pytest-xdist python3-pandas python3-sklearn chromium python3-pip python3-venv python3-ipython mypy man-db mandoc
)
# The web page. Debian's npm, unless there is another: that of NodeSource comes with its nodejs and excludes it.
command -v npm >/dev/null || packages+=(nodejs npm)

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

echo "setup: installing ${#missing[@]} packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >"$log" 2>&1
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
