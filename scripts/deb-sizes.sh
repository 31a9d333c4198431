#!/bin/sh
# Prints the sizes of packages and of the programs in them, and fails if a board would have to download too much:
#   deb-sizes.sh PACKAGE...
set -eu
. "$(dirname "$0")/download-max.sh"
status=0
printf '%-40s %12s %12s\n' package download installed
for package; do
  size=$(stat -c %s "$package")
  printf '%-40s %9s kB %9s kB\n' "$(basename "$package")" $((size / 1000)) "$(dpkg-deb --field "$package" Installed-Size)"
  case $(dpkg-deb --field "$package" Package) in
  *-dbgsym) continue ;;
  binnacle)
    if [ "$size" -gt $download_max ]; then
      echo "deb-sizes: $package has $size bytes, more than $download_max" >&2
      status=1
    fi
    ;;
  esac
  dpkg-deb --contents "$package" | awk '/^-/ && $6 ~ /bin\/.|[.]so$/ { printf "  %-51s %9d kB\n", substr($6, 2), $3 / 1000 }'
done
exit $status
