#!/usr/bin/env bash
# build_web.sh FOLDER STAMP: builds the page of `greenkgc serve` (web/) into FOLDER, each file with a .gz beside it, and then
# touches STAMP. Without npm, or without its registry, it says so, leaves FOLDER empty and STAMP away, and succeeds: a build
# tool that expects STAMP calls it again in the next build. The registry is needed only where web/node_modules is not what
# web/package-lock.json asks for.
set -eu
folder=$(realpath -m "$1")
stamp=$(realpath -m "$2")
cd "$(dirname "$0")/../web"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
rm -rf "$folder" "$stamp"

leave_out() {
  echo "The web page of greenkgc serve is left out: $1" >&2
  echo "  To get it: $2; then build again." >&2
  echo "  To build without it and without this message: cmake --preset release -DGREENKGC_WEB=OFF" >&2
  exit 0
}

command -v npm >/dev/null || leave_out "npm is not here." "scripts/setup.sh web"
exec 9<package.json
flock 9 # two builds of the same sources share node_modules
installed=node_modules/.installed-lock.json
if ! cmp -s package-lock.json "$installed"; then
  if ! npm ci --no-audit --no-fund --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000 >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    leave_out "npm ci failed, as above." "let this machine reach npm's registry ($(npm config get registry 2>/dev/null)), or copy web/node_modules from one where the build has worked"
  fi
  cp package-lock.json "$installed"
fi
if ! npm run build -- --outDir "$folder" --emptyOutDir >"$log" 2>&1; then
  tail -n 15 "$log" >&2
  echo "The web page of greenkgc serve was not built: vite failed, as above." >&2
  exit 1
fi
find "$folder" -type f ! -name '*.gz' -exec gzip -9nk {} +
touch "$stamp"
