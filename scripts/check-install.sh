#!/bin/sh
# Installs into a folder, twice, checks the result, and uninstalls it:
#   check-install.sh BUILT TOOLSET PROGRAM...
# Afterwards the folder must be as before, with the files of other packages.
set -eu
cd "$(dirname "$0")/.."
exposure_max=2.0
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
root=$tree/root

fail() {
  echo "check-install: $1" >&2
  exit 1
}

mkdir -p "$root/usr/lib/udev/rules.d" "$root/usr/share/doc" "$root/etc"
echo mine >"$root/usr/lib/udev/rules.d/99-mine.rules"
look() { (cd "$root" && find . -printf '%p %y %m %s %l\n' | sort); }
look >"$tree/before"

# install_in FOLDER PREFIX WORD...
install_in() {
  folder=$1 prefix=$2
  shift 2
  DESTDIR=$folder PREFIX=$prefix scripts/install.sh "$@" >"$tree/log" 2>&1 ||
    { cat "$tree/log"; fail "installing in $folder$prefix failed"; }
}
install_in "$root" /usr "$@"
install_in "$root" /usr "$@"
# Into a folder that does not exist yet, under another prefix: only the empty folder remains.
install_in "$tree/fresh" /opt/binnacle "$@"
DESTDIR=$tree/fresh PREFIX=/opt/binnacle scripts/install.sh --uninstall >/dev/null
[ -z "$(find "$tree/fresh" -mindepth 1)" ] || fail "uninstalling has left $(find "$tree/fresh" -mindepth 1)"
shift 2

for program; do
  [ -x "$root/usr/bin/$program" ] || fail "there is no /usr/bin/$program"
  if ldd "$root/usr/bin/$program" | grep -i -e swift -e 'not found'; then fail "$program needs that"; fi
done
for program; do
  bash -n "$root/usr/share/bash-completion/completions/$program" || fail "the completion of $program is no bash script"
  ! command -v zsh >/dev/null || zsh -n "$root/usr/share/zsh/vendor-completions/_$program" ||
    fail "the completion of $program is no zsh script"
done

for page in man8/binnacled.8 man8/binnacle-launch.8 man1/binnacle.1 man5/binnacle.conf.5 man5/binnacle.app.5; do
  [ -s "$root/usr/share/man/$page" ] || fail "the manual page $page is missing"
done
if command -v man >/dev/null; then
  for page in "$root"/usr/share/man/man*/*; do
    complaints=$(LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -l "$page" 2>&1 >/dev/null)
    [ -z "$complaints" ] || fail "$complaints"
    wide=$(LC_ALL=C.UTF-8 MANWIDTH=80 man -l "$page" 2>/dev/null | col -b | LC_ALL=C.UTF-8 grep '.\{81\}' || true)
    [ -z "$wide" ] || fail "$page has more than 80 columns: $wide"
  done
fi
if grep -r -l @PREFIX@ "$root"; then fail "a place is left open there"; fi
while read -r kind path; do
  case $kind in
  f) [ -f "$root$path" ] || fail "$path is listed and not there" ;;
  d) [ -d "$root$path" ] || fail "$path is listed and not there" ;;
  *) fail "what is '$kind $path' in the list?" ;;
  esac
done <"$root/usr/share/binnacle/installed"

for profile in "$root"/usr/share/binnacle/boards/*.conf; do
  "$root/usr/bin/binnacled" --check --board "$profile" --receiver /dev/null >/dev/null ||
    fail "$profile is not understood"
done

unit=$root/usr/lib/systemd/system/binnacled.service
for key in MemoryMax TasksMax OOMScoreAdjust LimitNOFILE; do
  grep -q "^$key=" "$unit" || fail "the service has no $key"
done
if grep -q '^ProtectProc=\|^ProcSubset=' "$unit"; then fail "the service hides the clients' processes from the daemon"; fi
if command -v systemd-analyze >/dev/null; then
  # A complaint with a line number is about a key or a value that this systemd ignores. The complaint about the missing
  # program has no line number.
  words=$(systemd-analyze verify --man=no "$unit" 2>&1 | grep -E 'binnacled.service:[0-9]+:' || true)
  [ -z "$words" ] || fail "$words"
  exposure=$(systemd-analyze security --offline=true "$unit" | sed -n 's/.*level for .*: \([0-9.]*\) .*/\1/p')
  [ -n "$exposure" ] || fail "systemd-analyze says no exposure"
  awk -v is="$exposure" -v max="$exposure_max" 'BEGIN { exit !(is <= max) }' ||
    fail "the service is exposed $exposure, more than $exposure_max; systemd-analyze security --offline=true $unit"
  echo "check-install: the service is exposed $exposure, at most $exposure_max"
fi
launcher=$root/usr/lib/systemd/system/binnacle-launch.service
[ "$(grep -c '^[A-Za-z]*Capabilit[A-Za-z]*=CAP_SETUID CAP_SETGID CAP_KILL CAP_SYS_PTRACE$' "$launcher")" = 2 ] ||
  fail "the launcher has other capabilities"
# Without TasksMax= all apps together would have DefaultTasksMax=.
for key in Delegate=yes KillMode=process NoNewPrivileges=yes TasksMax=infinity; do
  grep -q "^$key$" "$launcher" || fail "the launcher has no $key"
done
# Apps inherit the launcher's limits.
if grep -E '^(PrivateNetwork|ProtectSystem|ProtectHome|PrivateTmp|PrivateDevices|DevicePolicy|RestrictAddressFamilies|MemoryMax|LimitNOFILE|LimitCORE|MemoryDenyWriteExecute|ProtectControlGroups)=' "$launcher"; then
  fail "apps would inherit these limits of the launcher"
fi
if command -v systemd-analyze >/dev/null; then
  words=$(systemd-analyze verify --man=no "$launcher" 2>&1 | grep -E 'binnacle-launch.service:[0-9]+:' || true)
  [ -z "$words" ] || fail "$words"
  echo "check-install: the launcher is exposed $(systemd-analyze security --offline=true "$launcher" |
    sed -n 's/.*level for .*: \([0-9.]*\) .*/\1/p'); its unit has the reasons"
fi
console=$root/usr/lib/systemd/system/binnacle-console@.service
for key in User=binnacle-console NoNewPrivileges=yes DevicePolicy=closed 'DeviceAllow=/dev/%I rw' CapabilityBoundingSet=; do
  grep -q -x -F "$key" "$console" || fail "the console has no $key"
done
if grep -q '^SupplementaryGroups=' "$console"; then fail "the console has groups, so it could open the receiver"; fi
if ldd "$root/usr/bin/binnacled" "$root/usr/bin/binnacle-launch" | grep -i libedit; then fail "a service needs libedit"; fi
if command -v systemd-analyze >/dev/null; then
  words=$(systemd-analyze verify --man=no "$console" 2>&1 | grep -E 'binnacle-console@.service:[0-9]+:' || true)
  [ -z "$words" ] || fail "$words"
  exposure=$(systemd-analyze security --offline=true "$console" | sed -n 's/.*level for .*: \([0-9.]*\) .*/\1/p')
  awk -v is="$exposure" -v max="$exposure_max" 'BEGIN { exit !(is <= max) }' ||
    fail "the console is exposed $exposure, more than $exposure_max; systemd-analyze security --offline=true $console"
  echo "check-install: the console is exposed $exposure, at most $exposure_max"
fi
if udevadm verify --help >/dev/null 2>&1; then
  udevadm verify --resolve-names=late "$root/usr/lib/udev/rules.d/60-binnacle.rules" || fail "udev does not take the rules"
fi

DESTDIR=$root PREFIX=/usr scripts/install.sh --uninstall >/dev/null
look >"$tree/after"
diff "$tree/before" "$tree/after" || fail "uninstalling has left or taken that"
echo "check-install: what was installed is gone, and nothing else"
