#!/bin/sh
# The README's two commands on a machine that has nothing: a fresh Debian for each, as root.
#
#   sudo sh tests/bare_machine.sh DIR [SUITE [INCLUDE]]
#
# DIR is made, needs 4 GB and is deleted at the end. SUITE is bookworm unless said, INCLUDE the packages there are
# from the start (ca-certificates,python3,python3-venv). Needs debootstrap and git. The committed state is tried,
# with this machine's settings of apt and pip, without locale, terminal, display or standard input.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir "$1"
dir=$(cd "$1" && pwd)
root=$dir/root

unmount() {
  for part in proc dev; do
    if mountpoint -q "$root/$part"; then umount "$root/$part"; fi
  done
}
trap 'unmount; rm -rf --one-file-system "$dir"' EXIT
trap 'exit 130' INT TERM

carry() { # FILE…: the same file there
  for file in "$@"; do
    if [ -e "$file" ]; then mkdir -p "$root$(dirname "$file")" && cp -RL "$file" "$root$(dirname "$file")"; fi
  done
}

fresh_root() {
  unmount
  rm -rf --one-file-system "$root"
  cp -a "$dir/base" "$root"
  carry /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/apt/apt.conf.d /etc/ssl/certs/ca-certificates.crt
  git clone --quiet "$here" "$root/root/kernelviz"
  mount -t proc proc "$root/proc"
  mount --bind /dev "$root/dev"
}

# The lines of the README that begin with the script; the second is the one for the tests.
commands=$(sed -n 's/^\(sh resources\/setup.sh.*\)$/\1/p' "$here/README.md")
settings=$(env | grep -E '^(PIP_(CERT|INDEX_URL|EXTRA_INDEX_URL|PROXY|DEFAULT_TIMEOUT)=|SSL_CERT|REQUESTS_CA|https?_proxy|HTTPS?_PROXY|no_proxy|NO_PROXY)' || true)

debootstrap --variant=minbase --include="${3:-ca-certificates,python3,python3-venv}" "${2:-bookworm}" "$dir/base" >"$dir/log"

echo "$commands" | while read -r command; do
  fresh_root
  echo "== $command"
  # shellcheck disable=SC2086 — the settings are words of their own
  chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root $settings \
    sh -c "cd /root/kernelviz && { $command; } </dev/null" </dev/null
  ls -l "$root/root/kernelviz/kernelviz.png" 2>/dev/null || true
done
