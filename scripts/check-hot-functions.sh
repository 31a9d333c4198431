#!/bin/sh
# Shows that the list of functions that lie together still fits the daemon: check-hot-functions.sh LIST DAEMON
# A name that is no more is ignored by the linker without a word, and the daemon's wake-ups get dearer.
set -eu
list=$1
daemon=$2
nm "$daemon" | awk -v list="$list" -v daemon="$daemon" '
  BEGIN { while ((getline name < list) > 0) { wanted[name] = 1; all++ } }
  ($3 in wanted) && $2 ~ /[tTwW]/ {
    if (!($3 in seen)) found++
    seen[$3] = 1
    pages[substr($1, 1, length($1) - 3)] = 1
  }
  END {
    for (page in pages) count++
    printf "hot functions: %d of %d are in %s, beginning on %d pages\n", found, all, daemon, count
    if (found * 10 < all * 8) { print "too few: make hot-functions" > "/dev/stderr"; exit 1 }
    if (count > 60) { print "they do not lie together: was the daemon linked by make release?" > "/dev/stderr"; exit 1 }
  }'
