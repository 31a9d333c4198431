#!/bin/sh
# Checks that the names in the daemon's list of functions still exist in the daemon: check-hot-functions.sh LIST DAEMON
# The linker ignores a name that no longer exists, without a message. Each wake-up of the daemon then reads more pages.
# The linker cannot move the functions of the standard library, because an object of its archive is one section. They are
# small and lie on pages of their own, so the pages are counted that hold nine tenths of the code.
# The daemon fetches the functions between two marks before it runs them, unless they are longer than 256 kB.
set -eu
list=$1
daemon=$2
nm --print-size "$daemon" | awk -v list="$list" -v daemon="$daemon" '
  function number(hexadecimal,   value, place) {
    for (place = 1; place <= length(hexadecimal); place++)
      value = value * 16 + index("0123456789abcdef", substr(hexadecimal, place, 1)) - 1
    return value
  }
  BEGIN { while ((getline name < list) > 0 && name !~ /^#/) { wanted[name] = 1; all++ } }
  $4 ~ /^cposix_hot_(begin|end)$/ { mark[$4] = number($1) }
  ($4 in wanted) && $3 ~ /[tTwW]/ {
    if (!($4 in seen)) found++
    seen[$4] = 1
    if (!($1 in sizes)) {
      sizes[$1] = number($2)
      size += sizes[$1]
      pages[substr($1, 1, length($1) - 3)] += sizes[$1]
    }
  }
  END {
    part = 0.9 * size
    for (rest = part; rest > 0; count++) {
      fullest = ""
      for (page in pages) if (fullest == "" || pages[page] > pages[fullest]) fullest = page
      rest -= pages[fullest]
      delete pages[fullest]
    }
    printf "hot functions: %d of %d are in %s; nine tenths of their code begin on %d pages and fill %d\n", found, all, daemon, count, part / 4096
    fetched = mark["cposix_hot_end"] - mark["cposix_hot_begin"]
    printf "hot functions: %d bytes are fetched before they run\n", fetched
    if (fetched < 16384 || fetched > 262144) { print "the marks lie wrong: make hot-functions" > "/dev/stderr"; exit 1 }
    if (found * 10 < all * 8) { print "too few: make hot-functions" > "/dev/stderr"; exit 1 }
    if (count > 1.5 * part / 4096) { print "they do not lie together: was the daemon linked by make release?" > "/dev/stderr"; exit 1 }
  }'
