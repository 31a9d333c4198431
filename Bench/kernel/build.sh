#!/bin/bash
# Builds the bench's kernel and its modules from Debian's kernel source into the cache, under the recipe's name.
#   build.sh        JOBS=2 says how many at once
# Nothing of it needs root. The source is Debian's newest, fetched by apt from the unstable suite, whatever this
# machine's own suite is: only kernels of 2026 run unchanged programs at a good speed in this way (seccomp mode).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/binnacle/bench
target=$cache/$("$here/recipe.sh")
suite=${BINNACLE_BENCH_SUITE:-sid}
mkdir -p "$cache"
work=$(mktemp -d "$cache/building.XXXXXX")
trap 'rm -rf "$work"' EXIT

# A package list of our own, so that this machine's stays as it is. The mirror is the one that it uses.
fetch_source() {
  local mirror newest
  mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list /etc/apt/sources.list 2>/dev/null |
    sed -n 's/^URIs: *\(http[^ ]*debian\) *\/*$/\1/p; s/^deb .*\(http[^ ]*\/debian\)\/* .*/\1/p' | head -n 1 || true)
  mkdir -p "$work"/apt/{lists/partial,archives/partial}
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:-http://deb.debian.org/debian} $suite main" \
    >"$work/apt/sources.list"
  local options=(-o "Dir::Etc::sourcelist=$work/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$work/apt/lists" -o "Dir::Cache=$work/apt" -o "Dir::Cache::archives=$work/apt/archives"
    -o "APT::Sandbox::User=$(id -un)" -o APT::Default-Release= -o Acquire::Languages=none -o Debug::NoLocking=1)
  apt-get "${options[@]}" --quiet update
  # The packages are named by their version; the newest is what the empty package "linux-source" leads to.
  newest=$(apt-cache "${options[@]}" depends linux-source | sed -n 's/^ *Depends: \(linux-source-[0-9.]*\)$/\1/p' | head -n 1)
  [ -n "$newest" ] || { echo "bench-kernel: $suite has no linux-source" >&2; exit 1; }
  (cd "$work/apt" && apt-get "${options[@]}" --quiet download "$newest")
  echo "bench-kernel: $(ls "$work"/apt/*.deb)"
  dpkg-deb -x "$work"/apt/linux-source-*.deb "$work/package"
  mkdir "$work/source"
  tar -C "$work/source" --strip-components=1 -xf "$work"/package/usr/src/linux-source-*.tar.xz
  rm -rf "$work/package" "$work"/apt
}

# What was asked for and not taken is a mistake of the fragment; it would show up in some scenario much later.
check_configuration() {
  local missing
  missing=$(sed -n 's/^\(CONFIG_[A-Z0-9_]*=.*\)/\1/p' "$here/fragment.config" |
    grep -v -x -F -f "$work/build/.config" || true)
  [ -z "$missing" ] || { echo "bench-kernel: not taken: $missing" >&2; exit 1; }
}

fetch_source
patch --directory="$work/source" --strip=1 <"$here/tty.patch"
mkdir "$work/build"
make=(make -C "$work/source" ARCH=um "O=$work/build" -j "${JOBS:-2}" --silent)
"${make[@]}" tinyconfig
(cd "$work/source" && scripts/kconfig/merge_config.sh -m -O "$work/build" "$work/build/.config" "$here/fragment.config") >/dev/null
"${make[@]}" olddefconfig
check_configuration
"${make[@]}" linux modules
cp -r "$here/i2c-uadap" "$work/i2c-uadap"
"${make[@]}" "M=$work/i2c-uadap" modules

result=$work/result
mkdir "$result"
strip --strip-debug -o "$result/linux" "$work/build/linux"
find "$work/build" "$work/i2c-uadap" -name '*.ko' -exec cp {} "$result" ';'
strip --strip-debug "$result"/*.ko
cp "$work/build/.config" "$result/config"
chmod 755 "$result" "$result/linux"
rm -rf "$target"
mv "$result" "$target"
echo "bench-kernel: $target"
