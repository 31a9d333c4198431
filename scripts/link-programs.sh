#!/bin/sh
# Links the programs of a board once, with one Swift runtime and one copy of the modules that they share:
#   link-programs.sh RELEASE FILE PROGRAM...
# RELEASE is the folder where "make release" has built the programs; nothing is compiled but the choice. FILE then is the
# first program, and each other one when it is called by that name, through a symbolic link. Three programs on their own take
# twice the download and the disk; HACKING.md has the figures.
#   SWIFT, SDK   the toolchain, and the folder arm64 of an SDK's bundle for another architecture
set -eu
release=$(cd "$1" && pwd) file=$2
shift 2
swift=${SWIFT:-swift}
compiler=$(dirname "$(readlink -f "$(command -v "$swift")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# SwiftPM calls the entry of each program NAME_main, and lists the objects that it links.
entry() { echo "$1" | tr - _ | sed 's/$/_main/'; }
cases=
: >"$work/choice.c"
for program; do
  cat "$release/$program.product/Objects.LinkFileList" >>"$work/objects"
  echo "int $(entry "$program")(int, char **);" >>"$work/choice.c"
  [ "$program" = "$1" ] || cases="$cases if (!strcmp(name, \"$program\")) return $(entry "$program")(count, words);"
done
sort -u "$work/objects" >"$work/list"
cat >>"$work/choice.c" <<END
#include <string.h>
int main(int count, char **words) {
  const char *slash = count > 0 ? strrchr(words[0], '/') : 0;
  const char *name = slash ? slash + 1 : count > 0 ? words[0] : "";
  $cases
  return $(entry "$1")(count, words);
}
END
# The flags are words.
# shellcheck disable=SC2046
set -- $("$(dirname "$0")/static-library-flags.sh" "$swift" "$work/static-libraries")
clang_flags=
if [ -n "${SDK-}" ]; then
  sysroot=$SDK/sysroot
  set -- -target aarch64-unknown-linux-gnu -sdk "$sysroot" -resource-dir "$sysroot/usr/lib/swift_static"
  clang_flags="--target=aarch64-unknown-linux-gnu --sysroot=$sysroot"
fi
# The flags are words.
# shellcheck disable=SC2086
"$compiler/clang" $clang_flags -O2 -c "$work/choice.c" -o "$work/choice.o"
"$compiler/swiftc" "$@" -g -static-stdlib -emit-executable -o "$file" "@$work/list" "$work/choice.o" -use-ld=lld \
  -Xlinker --build-id -Xlinker --gc-sections -Xlinker --no-export-dynamic \
  -Xlinker --symbol-ordering-file="$(dirname "$0")/../Perf/hot-functions.txt" -Xlinker --no-warn-symbol-ordering \
  -lm -lz -li2c -lgpiod -ledit -lcrypt
