#!/usr/bin/env bash
# bare_machine.sh SUITE demo|test|wheel|deb [--keep] [--cache FOLDER] [--file FILE]
# Runs a command of the README on a bare Debian: a root made by debootstrap, with git, make and ca-certificates and nothing
# else, and a clone of HEAD in it. Says after how many seconds each line came, and what each phase took.
#   demo, test     make demo, make test
#   wheel, deb     make wheel or make package; then, in a second bare root, installs the file, trains `world` and asks
#   --file FILE    of wheel and deb: tries this file instead of building one
#   --cache FOLDER copies the fresh root from FOLDER/SUITE, which is made if it is not there
#   --keep         leaves the roots where they are
# Proxies, certificates and npm's registry are those of this machine. Needs root.
set -eu
usage() { sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p}' "$0" >&2; exit 2; }

suite='' mode='' keep='' cache='' file=''
while [ $# -gt 0 ]; do
  case $1 in
    --keep) keep=yes ;;
    --cache) cache=${2:?--cache needs a folder}; shift ;;
    --file) file=$(realpath "${2:?--file needs a file}"); shift ;;
    -*) usage ;;
    *) if [ -z "$suite" ]; then suite=$1; elif [ -z "$mode" ]; then mode=$1; else usage; fi ;;
  esac
  shift
done
case $mode in demo | test | wheel | deb) ;; *) usage ;; esac
[ "$(id -u)" -eq 0 ] || { echo "bare_machine: run this as root: debootstrap and chroot need it" >&2; exit 1; }
[ -n "$cache" ] && [ -d "$cache/$suite" ] || command -v debootstrap >/dev/null ||
  { echo "bare_machine: debootstrap is not here: apt-get install debootstrap" >&2; exit 1; }

source=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d "${TMPDIR:-/var/tmp}/greenkgc-$suite.XXXXXX")
inside=''
# The roots' mounts are in a namespace of their own, which ends with its first process: nothing is left to unmount.
clean_up() {
  [ -z "$inside" ] || kill -KILL "$inside" 2>/dev/null || true
  if [ -n "$keep" ]; then echo "the roots are in $work"; else rm -rf --one-file-system "$work"; fi
}
trap clean_up EXIT
trap 'exit 130' INT TERM

phases=()
phase() { # NAME COMMAND...: runs it, and notes how long it took
  local name=$1 begin=$SECONDS
  shift
  "$@"
  phases+=("$(printf '%-40s %5d s' "$name" $((SECONDS - begin)))")
}

debootstrap_into() { debootstrap --variant=minbase --include=git,make,ca-certificates "$suite" "$1" >"$work/debootstrap.log" ||
  { tail -n 5 "$work/debootstrap.log" >&2; exit 1; }; }

make_root() { # NAME
  local root=$work/$1
  if [ -n "$cache" ]; then
    [ -d "$cache/$suite" ] || { mkdir -p "$cache" && debootstrap_into "$cache/$suite"; }
    cp -a "$cache/$suite" "$root"
  else
    debootstrap_into "$root"
  fi
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  apt-config dump 2>/dev/null | grep -E '^Acquire::https?::[Pp]roxy' >"$root/etc/apt/apt.conf.d/90host" || true
  if compgen -G '/usr/local/share/ca-certificates/*.crt' >/dev/null; then
    cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/"
    chroot "$root" update-ca-certificates >/dev/null 2>&1
  fi
}

settings=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
  NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt)
for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
  [ -z "${!name:-}" ] || settings+=("$name=${!name}")
done
if command -v npm >/dev/null; then
  for name in registry proxy https-proxy; do
    value=$(npm config get "$name" 2>/dev/null)
    [ "$value" = null ] || settings+=("npm_config_${name//-/_}=$value")
  done
fi

run_in() { # ROOT SCRIPT: as a shell there would; each line with the seconds since its begin
  local begin=$SECONDS status=0
  unshare --mount --propagation private --pid --fork --kill-child bash -eu -c '
    mount -t proc proc "$0/proc"; mount -t sysfs -o ro sysfs "$0/sys"
    mkdir -p "$0/dev/shm" "$0/dev/pts"
    mount -t tmpfs tmpfs "$0/dev/shm"; mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts"
    mount --bind "$0/dev/pts/ptmx" "$0/dev/ptmx" 2>/dev/null || ln -sf pts/ptmx "$0/dev/ptmx"
    root=$0; shift; exec chroot "$root" env -i "$@"' \
    "$work/$1" - "${settings[@]}" bash -eu -c "$2" > >(while IFS= read -r line; do printf '[%4d s] %s\n' $((SECONDS - begin)) "$line"; done) 2>&1 &
  inside=$!
  wait "$inside" || status=$?
  inside=''
  [ "$status" -eq 0 ] || { echo "bare_machine: failed on $suite after $((SECONDS - begin)) s: $2" >&2; exit 1; }
}

make_in_clone() { # TARGET
  phase "a bare $suite" make_root first
  git clone --quiet --no-local "$source" "$work/first/root/greenkgc"
  git -C "$work/first/root/greenkgc" checkout --quiet --detach "$(git -C "$source" rev-parse HEAD)"
  phase "make $1" run_in first "cd /root/greenkgc && make $1"
}

questions='greenkgc train world --epochs 10 --out /tmp/run >/dev/null
greenkgc predict --model /tmp/run/model.gkgc --head Norway --relation borders --top-k 3
python=$(command -v /root/env/bin/python || command -v python3)
"$python" -c "import greenkgc; print(greenkgc.load(\"/tmp/run\").predict_tails(\"Norway\", \"borders\", 3))"'

try_file() { # PATTERN INSTALL TARGET: installs the file in a bare root and asks
  if [ -z "$file" ]; then
    make_in_clone "$3"
    file=$(compgen -G "$work/first/root/greenkgc/$1")
  fi
  phase "another bare $suite" make_root second
  cp "$file" "$work/second/root/"
  phase "install $(basename "$file")" run_in second "export DEBIAN_FRONTEND=noninteractive; apt-get update -q >/dev/null; ${2//FILE/\/root\/$(basename "$file")}"
  phase "train and ask" run_in second "export PATH=/root/env/bin:\$PATH; $questions"
}

case $mode in
  wheel) try_file 'build/wheel/greenkgc-*.whl' 'apt-get install -qy --no-install-recommends python3-venv >/dev/null
    python3 -m venv /root/env && /root/env/bin/pip install --no-index FILE' wheel ;;
  deb) try_file 'build/release/greenkgc_*.deb' 'apt-get install -qy --no-install-recommends FILE >/dev/null' package ;;
  *) make_in_clone "$mode" ;;
esac
printf '\n%s\n' "$suite, $mode: all passed"
printf '  %s\n' "${phases[@]}"
