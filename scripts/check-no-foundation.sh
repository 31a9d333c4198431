#!/bin/sh
# Shows that programs carry no Foundation, and the daemon no regular expressions:
#   check-no-foundation.sh DEBUG_DIR STATIC_DIR PROGRAM...
# The debug build links Swift's libraries dynamically, so its list of libraries is checked. The release build contains
# them, so its symbols are checked. A single search for a string within a string needs the whole library of regular
# expressions.
set -eu
debug=$1
static=$2
shift 2

for program; do
  needed=$(readelf --dynamic --wide "$debug/$program" | grep NEEDED)
  case "$needed" in
  *Foundation*)
    echo "$debug/$program is linked to Foundation:" >&2
    echo "$needed" | grep Foundation >&2
    exit 1
    ;;
  *libswiftCore*) ;;
  *)
    echo "$debug/$program is not linked to Swift at all: it shows nothing" >&2
    exit 1
    ;;
  esac

  symbols=$(nm "$static/$program")
  case "$symbols" in
  *Foundation*)
    echo "$static/$program has Foundation inside, for instance:" >&2
    echo "$symbols" | grep --max-count 3 Foundation >&2
    exit 1
    ;;
  *swift_retain*) ;;
  *)
    echo "$static/$program has no symbol of Swift's runtime: it shows nothing" >&2
    exit 1
    ;;
  esac
  case "$program $symbols" in
  "binnacled "*_RegexParser*)
    echo "$static/$program has the library of regular expressions inside" >&2
    exit 1
    ;;
  esac
  echo "no Foundation in $program: linked $(echo "$needed" | wc -l) libraries," \
    "static $(echo "$symbols" | wc -l) symbols"
done
