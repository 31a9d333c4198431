#!/bin/sh
# Prints the path of the library that counts the branches of a program: profile-runtime.sh SWIFT
set -eu
toolchain=$(dirname "$(readlink -f "$(command -v "$1")")")
ls "$("$toolchain/clang" -print-resource-dir)/lib/linux/libclang_rt.profile-$(uname -m).a"
