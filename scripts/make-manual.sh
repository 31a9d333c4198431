#!/bin/sh
# Prints the manual page of a program, from its help: RUNNER= make-manual.sh PROGRAM SECTION
set -eu
runner=${RUNNER-}
name=$(basename "$1")
# Services have options only, the other programs have a command table.
case $name in
binnacled | binnacle-launch) help=$($runner "$1" --help) ;;
*) help=$($runner "$1" help --all) ;;
esac
# In a manual page a backslash begins an order, and so does a dot at a line's start.
plain() { sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\([.']\)/\\\\\&\1/"; }

echo ".TH $(echo "$name" | tr "[:lower:]" "[:upper:]" | plain) $2 \"\" Binnacle"
echo ".SH NAME"
echo "$help" | sed -n '1s/: / - /p' | plain
echo ".SH SYNOPSIS AND DESCRIPTION"
# As it is, from the margin on: with the usual indentation 80 columns would be 87.
echo ".nf"
echo ".in 0"
echo "$help" | sed 1d | plain
echo ".fi"
if [ "$name" = binnacled ]; then
  cat <<'END'
.SH FILES
.TP
.I /etc/default/binnacle
options of the service, as BINNACLE_OPTIONS=\-\-board NAME
.TP
.I /etc/binnacle/boards
profiles of your own, and drop\-ins NAME.conf.d/*.conf to those that are installed
END
fi
