# The guest's first process runs this file. It loads the library, then runs the scenario that the command line names.
set -eu
for part in core gpio i2c tty usb disk daemon promises cost panel power rest apps life console page; do . "$BENCH_HOME/lib/$part.sh"; done
. "$BENCH_HOME/$BENCH_SCENARIO.sh"
