#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh GROUP...: installs the Debian packages of these groups that are missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
list=$here/packages.txt

missing() { # REMARK-PATTERN GROUP...: packages of the groups that are not installed
  pattern=$1
  shift
  for group in "$@"; do
    awk -v group="$group" -v pattern="$pattern" \
      '$1 == group && ($3 ~ pattern) { print $2 }' "$list"
  done | sort -u | while read -r package; do
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || echo "$package"
  done
}

to_unpack() { # GROUP...: packages of the groups whose files are not in unpacked/
  for group in "$@"; do
    awk -v group="$group" '$1 == group && $3 == "unpacked" { print $2 }' "$list"
  done | sort -u | while read -r package; do
    [ -d "$here/unpacked/$package" ] || echo "$package"
  done
}

unpack() { # PACKAGE: without it the tests that want it say so
  fetched=$(mktemp -d)
  chmod 755 "$fetched"
  if (cd "$fetched" && apt-get download -qq "$1" && mkdir files && dpkg-deb -x "$1"_*.deb files) >"$fetched/log" 2>&1; then
    mkdir -p "$here/unpacked"
    mv "$fetched/files" "$here/unpacked/$1"
  else
    cat "$fetched/log" >&2
  fi
  rm -rf "$fetched"
}

if ! command -v dpkg-query >/dev/null; then
  echo "not a Debian system: please see that these are there: $(missing '.*' "$@" | xargs)" >&2
  exit 0
fi
required=$(missing '^$' "$@")
optional=$(missing '^optional$' "$@")
unpacked=$(to_unpack "$@")
[ -n "$required$optional$unpacked" ] || exit 0

sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
stamp=/var/lib/apt/lists
if [ -n "$required" ] || [ -z "$(find "$stamp" -name '*_Packages*' -print -quit 2>/dev/null)" ]; then
  $sudo apt-get update -qq
fi
available=
for package in $optional; do
  if [ -n "$(apt-cache madison "$package" 2>/dev/null)" ]; then
    available="$available $package"
  fi
done
for package in $unpacked; do
  if [ -n "$(apt-cache madison "$package" 2>/dev/null)" ]; then
    echo "unpacking: $package"
    unpack "$package"
  fi
done
chosen=$(echo $required $available)
[ -n "$chosen" ] || exit 0
echo "installing: $chosen"
log=$(mktemp)
if ! $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    $chosen >"$log" 2>&1; then
  cat "$log" >&2
  rm -f "$log"
  exit 1
fi
rm -f "$log"
