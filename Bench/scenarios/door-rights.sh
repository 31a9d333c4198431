# A reader of the NMEA door, gpsd or a program of another user, gets no position until an operator allows it. The lamp is lit before the
# reader's first position. After a denial the reader gets status V at once, and the lamp goes out.
# bench: limit=90

for program in gpsd gpspipe python3; do tool $program; done
panel_chip
panel_profile
cat >>/run/panel.conf <<END
[Door NMEA]
Terminal=nmea
Socket=nmea.sock
Mode=0666
Group=dialout
END
start_receiver
device_for dialout /dev/ttyS0
start_panel
wait_for 5 "the daemon has claimed the lines" panel_is_claimed

# note.py prints a line for each RMC sentence: the level of the indicator outside of the chip, and the status of the sentence.
cat >/run/note.py <<'END'
import socket, sys
lamp = sys.argv[1]
if len(sys.argv) > 2:
    door = socket.socket(socket.AF_UNIX)
    door.connect(sys.argv[2])
    lines = door.makefile(newline="\n")
else:
    lines = iter(sys.stdin.readline, "")
for line in lines:
    if line[3:6] == "RMC":
        print(open(lamp).read().strip(), line.split(",")[2], flush=True)
END
lamp=$(gpio_line INDICATOR)/value

# epochs NAME LEVEL STATUS: the number of RMC sentences with this lamp level and this status; "." is any value.
epochs() { lines_in "$said/$1" "^$2 $3\$"; }
has_epochs() { [ "$(epochs "$1" "$2" "$3")" -ge "$4" ]; }
more_epochs() { wait_for "$1" "reader $2 gets 3 more epochs with status $4" has_epochs "$2" "$3" "$4" $(($(epochs "$2" "$3" "$4") + 3)); }
listed() {
  # The words of a command.
  # shellcheck disable=SC2086
  binnacle $1 --json --runtime /run/binnacle >/run/list
  text_in /run/list "$2"
}

# gpsd reads the terminal.
gpsd -n -N /run/binnacle/nmea >"$said/gpsd" 2>&1 &
gpsd=$!
wait_for 10 "gpsd reads the door" status_is doors.nmea.readers 1
gpspipe -r | python3 /run/note.py "$lamp" >"$said/raw" &
gpspipe -w >"$said/reports" &
more_epochs 20 raw 0 V
expect_equal "positions of gpsd without a grant" "$(epochs raw . A)" 0
expect "the daemon lists gpsd as an app in the background" listed apps '"id":"door.nmea:tty".*"state":"background"'
expect "the daemon has no prompt for gpsd" [ "$(binnacle prompts --json --runtime /run/binnacle)" = "" ]

binnacle allow door.nmea:tty --runtime /run/binnacle
more_epochs 40 raw 1 A
expect_equal "positions of gpsd while the lamp was dark" "$(epochs raw 0 A)" 0
wait_for 10 "gpsd reports positions" text_in "$said/reports" '"class":"TPV".*"lat"'
expect "'binnacle who' lists gpsd as a reader of the door" listed who '"id":"door.nmea:tty","role":"door"'

# A reader of the socket needs a grant of its own.
app=door.nmea:$(id -u nobody)
setpriv --reuid=nobody --regid=nogroup --clear-groups \
  python3 /run/note.py "$lamp" /run/binnacle/nmea.sock >"$said/other" 2>&1 &
other=$!
more_epochs 10 other . V
expect_equal "positions of the socket's reader without a grant" "$(epochs other . A)" 0
expect "'binnacle why' reports the missing authorization" listed "why $app" '"key":"authorization","holds":false'
kill "$other"

before=$(epochs raw . A)
binnacle deny door.nmea:tty --runtime /run/binnacle
wait_for 2 "the lamp goes out after the denial" led_is INDICATOR 0
more_epochs 10 raw 0 V
expect_within "positions of gpsd after the denial" $(($(epochs raw . A) - before)) 0 1
dark=$(epochs raw 0 A)
expect "the audit has the end of gpsd's use, with a verified lamp" listed audit '"id":"door.nmea:tty".*"to":.*"lamp_verified":true'

# With reduced accuracy gpsd gets a cell of 5 km, and reports it as a position.
: >"$said/reports"
binnacle allow door.nmea:tty reduced --runtime /run/binnacle
more_epochs 20 raw 1 A
expect_equal "reduced positions of gpsd while the lamp was dark" $(($(epochs raw 0 A) - dark)) 0
wait_for 10 "gpsd reports the cell" text_in "$said/reports" '"class":"TPV".*"lat"'
kill "$gpsd"
wait_for 10 "the lamp goes out when gpsd ends" led_is INDICATOR 0
stop_daemon
