# An app that cannot be started: the message of "binnacle start" names the file, the fault and the remedy, as the app's own user meets
# them. "binnacle apps" and "binnacle why" repeat the message.

panel_chip
start_receiver
device_for dialout /dev/ttyS0
for name in missing closed plain python foreign; do
  app_user ann
  app_manifest $name ann "/usr/lib/$name/program"
  mkdir -p /usr/lib/$name
done
# Files of the same content, each with its fault.
for name in closed plain python foreign; do printf '#!/bin/sh\n' >"/usr/lib/$name/program"; done
chmod 755 /usr/lib/*/program
chmod 700 /usr/lib/closed
chmod 644 /usr/lib/plain/program
printf '#!/opt/python/bin/python3\n' >/usr/lib/python/program
# A program for another processor: the sixteen bits behind the first eighteen bytes name it.
cp /bin/true /usr/lib/foreign/program
printf '\363\000' | dd of=/usr/lib/foreign/program bs=1 seek=18 conv=notrunc 2>/dev/null
# "no-such-user" is no user of this board.
app_manifest stranger no-such-user /bin/true
start_launcher
start_panel

# refused NAME PATTERN: the start of the app fails with this message.
refused() {
  expect_not "$1 is started" binnacle start "org.example.$1" 2>/run/refusal
  expect "the message names fault and remedy: $(cat /run/refusal)" text_in /run/refusal "$2"
}
refused missing '/usr/lib/missing/program does not exist: install the program, or correct Executable= in /etc/binnacle/apps.d/missing.app'
refused closed "user ann may not enter the directory /usr/lib/closed, .*'chmod o+x /usr/lib/closed'"
refused plain "user ann may not execute /usr/lib/plain/program: 'chmod a+x /usr/lib/plain/program'"
refused python '/opt/python/bin/python3, the interpreter of /usr/lib/python/program, does not exist: install it'
refused foreign '/usr/lib/foreign/program is a program for RISC-V (64 bits), and this system runs programs for'
refused stranger "/etc/binnacle/apps.d/stranger.app: there is no user no-such-user: 'sudo useradd --system no-such-user'"
expect "the list repeats the message" sh -c "binnacle apps --json | grep -q 'user ann may not execute'"
expect "why repeats the message" reason_says plain process 'user ann may not execute'
expect "the log has the message" daemon_said 'org.example.foreign: .*RISC-V'
stop_daemon
