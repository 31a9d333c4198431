#!/bin/sh
# Prints the manual page of a kind of configuration file: make-manual-conf.sh conf|app
# The keys come from boards/desk.conf and from the table of manifests in Docs/APPS.md, which tests compare with the code.
set -eu
cd "$(dirname "$0")/.."
# In a manual page a backslash begins an order, and so does a dot at a line's start.
plain() { sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\([.']\)/\\\\\&\1/"; }

# keys_of_profile: a section for each section, a paragraph for each key, with the comment before it.
keys_of_profile() {
  sed -n '/^# All keys/,$p' boards/desk.conf | sed 1d | awk '
    function flush() { if (text != "") print text; text = "" }
    /^#?\[[A-Za-z ]*\]$/ { name = $0; sub(/^#/, "", name); print "@SECTION " name; flush(); next }
    /^#?[A-Z][A-Za-z0-9]*=/ { key = $0; sub(/^#/, "", key); print "@KEY " key; flush(); next }
    /^#/ { line = $0; sub(/^# ?/, "", line); text = text (text == "" ? "" : "\n") line }'
}

# keys_of_manifest: the same from the table "| key | name of Apple | meaning |".
keys_of_manifest() {
  sed -n '/^## Manifests/,/^## Life/p' Docs/APPS.md | sed -n 's/^| `\([^|]*\)` | \([^|]*\) *| \(.*\) |$/@KEY \1\t\2\t\3/p' |
    awk -F '\t' '{ print $1 "="; print $3 ($2 ~ /`/ ? ". Apple'"'"'s name: " $2 : "") }' | sed 's/`//g; s/ *$//'
}

orders() { sed -e 's/^@SECTION \(.*\)$/.SS \1/' -e 's/^@KEY \(.*\)$/.TP\n.B \1/'; }

case $1 in
conf)
  cat <<'END'
.TH BINNACLE.CONF 5 "" Binnacle
.SH NAME
binnacle.conf \- profile of a board
.SH SYNOPSIS
.I /etc/binnacle/boards/NAME.conf
.br
.I /etc/binnacle/boards/NAME.conf.d/*.conf
.SH DESCRIPTION
A profile names the devices of a board and its settings, in the style of systemd's units. Profiles that are installed are
in
.IR /usr/share/binnacle/boards ;
a file of the same name in
.I /etc/binnacle/boards
takes their place, and drop\-ins change single keys.
.B binnacled \-\-check
prints what a profile comes to, and
.B binnacle settings
prints every setting in effect with its source. Each key stands with its default, or with an example where there is no
default.
.SH KEYS
END
  keys_of_profile | plain | orders
  see='binnacled(8), binnacle(1), binnacle.app(5)'
  ;;
app)
  cat <<'END'
.TH BINNACLE.APP 5 "" Binnacle
.SH NAME
binnacle.app \- manifest of an app
.SH SYNOPSIS
.I /etc/binnacle/apps.d/NAME.app
.br
.I /etc/binnacle/apps.d/NAME.app.d/*.conf
.SH DESCRIPTION
A manifest makes a program an app with a name: the user that it runs as, and why it needs the location. It has one section,
.BR [App] ,
in the style of systemd's units.
.B binnacled \-\-check
prints every app and every mistake.
.SH KEYS
END
  keys_of_manifest | plain | orders
  see='binnacled(8), binnacle(1), binnacle.conf(5)'
  ;;
*)
  echo "usage: make-manual-conf.sh conf|app" >&2
  exit 64
  ;;
esac
echo ".SH SEE ALSO"
echo "$see" | sed 's/-/\\-/g'
