#!/usr/bin/env bash
# build_web.sh FOLDER: builds the page of `greenkgc serve` (web/) into FOLDER, each file with a .gz beside it.
# npm's registry is needed only where web/node_modules is not what web/package-lock.json asks for.
set -eu
folder=$(realpath -m "$1")
cd "$(dirname "$0")/../web"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

give_up() {
  tail -n 15 "$log" >&2
  echo "The web page of greenkgc serve was not built: $1" >&2
  echo "To build all but the page: add -DGREENKGC_WEB=OFF to cmake's arguments, as in" >&2
  echo "  cmake --preset release -DGREENKGC_WEB=OFF" >&2
  exit 1
}

command -v npm >/dev/null || give_up "npm is not here. scripts/setup.sh installs it."
exec 9<package.json
flock 9 # two builds of the same sources share node_modules
installed=node_modules/.installed-lock.json
if ! cmp -s package-lock.json "$installed"; then
  npm ci --no-audit --no-fund --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000 >"$log" 2>&1 ||
    give_up "npm ci failed. It needs npm's registry once ($(npm config get registry 2>/dev/null)): connect this machine, or copy web/node_modules from one where the build has worked."
  cp package-lock.json "$installed"
fi
rm -rf "$folder"
npm run build -- --outDir "$folder" --emptyOutDir >"$log" 2>&1 || give_up "vite failed, as above."
find "$folder" -type f ! -name '*.gz' -exec gzip -9nk {} +
