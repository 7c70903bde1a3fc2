#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# unpack_for.sh ARCHITECTURE FOLDER: the files of Debian's packages of the group of that architecture, below FOLDER, to
# build for it. Lists and packages are fetched into FOLDER too: what the system has installed, and may install, stays.
set -eu
architecture=$1
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
packages=$(awk -v group="$architecture" '$1 == group { print $2 }' "$here/packages.txt")
if [ -z "$packages" ]; then
  echo "unpack_for.sh: packages.txt names nothing for $architecture" >&2
  exit 2
fi
# Done when each of them was unpacked, and anew when the list has changed.
[ "$(cat "$folder/unpacked" 2>/dev/null)" != "$packages" ] || exit 0
if ! command -v apt-get >/dev/null; then
  echo "not a Debian system: please see that these are below $folder, for $architecture: $(echo $packages)" >&2
  exit 0
fi
fetched=$folder/fetched
mkdir -p "$fetched/lists/partial" "$fetched/cache/archives/partial"
: >"$fetched/status"
apt() {
  (cd "$fetched" && apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
    -o Dir::State::lists="$fetched/lists" -o Dir::State::status="$fetched/status" -o Dir::Cache="$fetched/cache" \
    -o APT::Sandbox::User= -o Debug::NoLocking=1 "$@")
}
echo "fetching for $architecture: $(echo $packages)"
apt update
apt download $packages
for package in "$fetched"/*.deb; do dpkg-deb -x "$package" "$folder"; done
rm -rf "$fetched"
echo "$packages" >"$folder/unpacked"
