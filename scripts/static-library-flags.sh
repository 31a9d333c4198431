#!/bin/sh
# Prints flags of swiftc that link the C++ library into a program: static-library-flags.sh SWIFT FOLDER
# The Swift runtime needs that library, and loading the shared one costs a daemon 80 kB of private memory. FOLDER gets a link to
# the static library, and the linker searches FOLDER first. Without a static library the script prints nothing.
set -eu
compiler=$(dirname "$(readlink -f "$(command -v "$1")")")
library=$("$compiler/clang" -print-file-name=libstdc++.a)
[ -r "$library" ] || exit 0
mkdir -p "$2"
ln -sfn "$library" "$2/libstdc++.a"
echo "-L$2 -Xclang-linker -static-libgcc"
