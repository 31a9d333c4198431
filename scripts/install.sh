#!/bin/sh
# Installs the build products: DESTDIR= PREFIX= RUNNER= install.sh FOLDER TOOLSET PROGRAM...
# RUNNER is a command that runs programs of another architecture; manual pages and completions are what programs print.
# Uninstalls:     DESTDIR= PREFIX= install.sh --uninstall
# Each file and folder that was made stands in PREFIX/share/binnacle/installed; uninstalling removes that and nothing else.
set -eu
cd "$(dirname "$0")/.."
prefix=${PREFIX:-/usr}
root=${DESTDIR-}
runner=${RUNNER-}
list=$root$prefix/share/binnacle/installed

# Into the running system, or somewhere for a package or a test?
is_live() { [ -z "$root" ] && [ -d /run/systemd/system ]; }

# undo LIST: removes its files, then its folders, the deepest first, as far as they are empty.
undo() {
  sed -n 's/^f //p' "$1" | while IFS= read -r path; do rm -f "$root$path"; done
  sed -n 's/^d //p' "$1" | sort -r | while IFS= read -r path; do
    rmdir "$root$path" 2>/dev/null || [ ! -d "$root$path" ] || echo "uninstall: $path is kept, it holds other files"
  done
}

if [ "$1" = --uninstall ]; then
  [ -r "$list" ] || { echo "uninstall: $list is not there, nothing was installed with PREFIX=$prefix" >&2; exit 66; }
  if is_live; then systemctl disable --now --quiet binnacled binnacle-launch 'binnacle-console@*' 2>/dev/null || true; fi
  whole=$(mktemp)
  cp "$list" "$whole"
  rm -f "$list"
  undo "$whole"
  rm -f "$whole"
  if is_live; then
    systemctl daemon-reload
    udevadm control --reload
  fi
  echo "uninstalled from $root$prefix; kept: /etc/binnacle, /var/lib/binnacle, the users binnacle and binnacle-console"
  exit 0
fi

built=$1
toolset=$2
shift 2
[ -z "$root" ] || mkdir -p "$root"
new=$(mktemp)
trap 'rm -f "$new"' EXIT

# folder PATH: makes it and what is missing above it, and remembers what it has made.
folder() {
  [ ! -d "$root$1" ] || return 0
  folder "$(dirname "$1")"
  install -d --mode 755 "$root$1"
  echo "d $1" >>"$new"
}

# put MODE FILE PATH
put() {
  folder "$(dirname "$3")"
  install --mode "$1" "$2" "$root$3"
  echo "f $3" >>"$new"
}

# placed FILE PATH: with the prefix in place of @PREFIX@.
placed() {
  text=$(mktemp)
  sed "s|@PREFIX@|$prefix|g" "$1" >"$text"
  put 644 "$text" "$2"
  rm -f "$text"
}

# Folders of an earlier installation stay in the list. Its files are removed if the new installation does not have them.
old=
if [ -r "$list" ]; then
  old=$(mktemp)
  cp "$list" "$old"
  grep '^d ' "$old" >"$new" || true
fi

for program; do
  put 755 "$built/$program" "$prefix/bin/$program"
  # Services have options only, the other programs have commands.
  section=1 completion=completion
  case $program in binnacled | binnacle-launch) section=8 completion=--completion ;; esac
  page=$(mktemp)
  RUNNER=$runner scripts/make-manual.sh "$built/$program" "$section" >"$page"
  put 644 "$page" "$prefix/share/man/man$section/$program.$section"
  rm -f "$page"
  script=$(mktemp)
  $runner "$built/$program" "$completion" bash >"$script"
  put 644 "$script" "$prefix/share/bash-completion/completions/$program"
  $runner "$built/$program" "$completion" zsh >"$script"
  put 644 "$script" "$prefix/share/zsh/vendor-completions/_$program"
  rm -f "$script"
done

for kind in conf app; do
  page=$(mktemp)
  scripts/make-manual-conf.sh "$kind" >"$page"
  put 644 "$page" "$prefix/share/man/man5/binnacle.$kind.5"
  rm -f "$page"
done

for file in boards/*.conf; do put 644 "$file" "$prefix/share/binnacle/$file"; done
for file in boards/overlays/*; do put 644 "$file" "$prefix/share/binnacle/$file"; done
for file in LICENSE README.md HACKING.md Docs/*.md Docs/boards/*; do put 644 "$file" "$prefix/share/doc/binnacle/$file"; done

# The same layout as in the toolset's folder, under another name.
for file in "$toolset"/modules/*; do put 644 "$file" "$prefix/lib/binnacle/modules/$(basename "$file")"; done
put 755 "$toolset/lib/libCoreLocation.so" "$prefix/lib/binnacle/lib/libCoreLocation.so"
json=$(mktemp)
sed "s|$(cd "$toolset" && pwd)|$prefix/lib/binnacle|g" "$toolset/toolset.json" >"$json"
put 644 "$json" "$prefix/share/binnacle/toolset.json"
rm -f "$json"

put 644 udev/60-binnacle.rules "$prefix/lib/udev/rules.d/60-binnacle.rules"
put 644 systemd/binnacle.sysusers "$prefix/lib/sysusers.d/binnacle.conf"
put 644 systemd/binnacle.tmpfiles "$prefix/lib/tmpfiles.d/binnacle.conf"
put 644 systemd/binnacle.modules "$prefix/lib/modules-load.d/binnacle.conf"
for unit in binnacled binnacle-launch binnacle-console@; do placed "systemd/$unit.service" "$prefix/lib/systemd/system/$unit.service"; done

folder "$prefix/share/binnacle"
echo "f $prefix/share/binnacle/installed" >>"$new"
if [ -n "$old" ]; then
  sed -n 's/^f //p' "$old" | while IFS= read -r path; do
    grep -q -x -F "f $path" "$new" || rm -f "$root$path"
  done
  rm -f "$old"
fi
sort -u "$new" >"$list"
chmod 644 "$list"

if is_live; then
  systemd-sysusers
  systemd-tmpfiles --create "$prefix/lib/tmpfiles.d/binnacle.conf"
  systemctl restart systemd-modules-load || true
  udevadm control --reload
  udevadm trigger --subsystem-match=tty --subsystem-match=gpio --subsystem-match=i2c-dev
  systemctl daemon-reload
  echo "installed in $prefix; next: systemctl enable --now binnacled"
else
  echo "installed in $root$prefix"
fi
