#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make.sh BUILD_FOLDER DISTRIBUTION_FOLDER: the release build as a Debian package, checked by lintian where that is
# installed. Its libraries lie in a folder of their own; no file of another package is diverted or replaced.
set -eu
build=$1
distribution=$2
here=$(cd "$(dirname "$0")" && pwd)
of_cache() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
version=$(of_cache CMAKE_PROJECT_VERSION)
strip=$(of_cache CMAKE_STRIP)
# Of these two variables Debian's own tools take the maintainer.
maintainer="${DEBFULLNAME:-The authors of Tulle} <${DEBEMAIL:-tulle@localhost.localdomain}>"
unnamed=bogus-mail-host,bogus-mail-host-in-debian-changelog
case $(LC_ALL=C readelf -h "$build/bin/tulle" | sed -n 's/ *Machine: *//p') in
  AArch64) architecture=arm64 ;;  # perhaps built elsewhere
  *) architecture=$(dpkg --print-architecture) ;;
esac
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

DESTDIR=$stage cmake --install "$build" --prefix /usr >/dev/null
chmod 755 "$stage"
rm "$stage/usr/share/tulle/installed.txt"
mv "$stage/usr/lib/pkgconfig" "$stage/usr/share/pkgconfig"
mv "$stage/usr/share/zsh/site-functions" "$stage/usr/share/zsh/vendor-completions"
find "$stage/usr/lib/tulle" -type f \( -name '*.so*' ! -name '*.py' -o -name tulle-coherence \) -exec "$strip" --strip-unneeded {} +
find "$stage/usr/share/man" -name '*.1' -exec gzip -9n {} +
doc=$stage/usr/share/doc/tulle
rm "$doc/LICENSE"
cp "$here/copyright" "$doc/copyright"
printf 'tulle (%s) unstable; urgency=medium\n\n  * New version.\n\n -- %s  %s\n' "$version" \
  "$maintainer" "$(date -R -d @"${SOURCE_DATE_EPOCH:-0}")" |
  gzip -9n >"$doc/changelog.gz"
find "$stage" -type f ! -perm -100 -exec chmod 644 {} +
find "$stage" -type d -exec chmod 755 {} +

mkdir "$stage/DEBIAN"
size=$(du -sk "$stage/usr" | cut -f1)
# The newest version of the C library that any of the files was linked against.
libc=$(find "$stage/usr" -type f -exec readelf -W --version-info {} + 2>/dev/null |
  sed -n '/^Version definition/,/^$/d; s/.*Name: GLIBC_\(2\.[0-9]*\).*/\1/p' | sort -V | tail -n 1)
sed -e "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@SIZE@/$size/; s/@MAINTAINER@/$maintainer/" \
  -e "s/@LIBC@/$libc/" "$here/control.in" >"$stage/DEBIAN/control"
(cd "$stage" && find usr -type f -exec md5sum {} +) >"$stage/DEBIAN/md5sums"
mkdir -p "$distribution"
package=$distribution/tulle_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$stage" "$package" >/dev/null
echo "$package"
if command -v lintian >/dev/null; then
  [ -z "${DEBEMAIL:-}" ] || unnamed=none
  lintian --allow-root --fail-on error,warning --suppress-tags "$unnamed" "$package"
fi
