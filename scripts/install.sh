#!/bin/sh
# Installs what was built: DESTDIR= PREFIX= install.sh FOLDER PROGRAM...
set -eu
cd "$(dirname "$0")/.."
prefix=${PREFIX:-/usr/local}
to=${DESTDIR-}$prefix
built=$1
shift

for program; do install -D --mode 755 "$built/$program" "$to/bin/$program"; done

# put FOLDER FILE...: what is not there yet is left out.
put() {
  folder=$1
  shift
  for file; do
    [ ! -f "$file" ] || install -D --mode 644 "$file" "$to/$folder/$(basename "$file")"
  done
}
put share/binnacle/boards boards/*
put lib/udev/rules.d udev/*.rules
put share/doc/binnacle README.md HACKING.md
put share/doc/binnacle/Docs Docs/*.md

install -D --mode 644 systemd/binnacle.sysusers "$to/lib/sysusers.d/binnacle.conf"
install -d "$to/lib/systemd/system"
sed "s|/usr/local|$prefix|g" systemd/binnacled.service >"$to/lib/systemd/system/binnacled.service"
chmod 644 "$to/lib/systemd/system/binnacled.service"
echo "installed in $to; next: systemd-sysusers && systemctl daemon-reload && systemctl enable --now binnacled"
