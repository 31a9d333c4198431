# If an app cannot be started, the message of "binnacle start" names the file, the fault and the remedy. The access rights in the message
# are those of the app's user. "binnacle apps" and "binnacle why" repeat the message.

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
# A program for another processor: the two bytes at offset 18 name the processor.
cp /bin/true /usr/lib/foreign/program
printf '\363\000' | dd of=/usr/lib/foreign/program bs=1 seek=18 conv=notrunc 2>/dev/null
# The board has no user "no-such-user".
app_manifest stranger no-such-user /bin/true
start_launcher
start_panel

# refused NAME PATTERN: the start of the app fails with this message.
refused() {
  expect_not "the app $1 is not started" binnacle start "org.example.$1" 2>/run/refusal
  expect "the message names the fault and the remedy: $(cat /run/refusal)" text_in /run/refusal "$2"
}
refused missing '/usr/lib/missing/program does not exist: install the program, or correct Executable= in /etc/binnacle/apps.d/missing.app'
refused closed "user ann may not enter the directory /usr/lib/closed, .*'chmod o+x /usr/lib/closed'"
refused plain "user ann may not execute /usr/lib/plain/program: 'chmod a+x /usr/lib/plain/program'"
refused python '/opt/python/bin/python3, the interpreter of /usr/lib/python/program, does not exist: install it'
refused foreign '/usr/lib/foreign/program is a program for RISC-V (64 bits), and this system runs programs for'
refused stranger "/etc/binnacle/apps.d/stranger.app: there is no user no-such-user: 'sudo useradd --system no-such-user'"
expect "'binnacle apps' repeats the message" sh -c "binnacle apps --json | grep -q 'user ann may not execute'"
expect "'binnacle why' repeats the message" reason_says plain process 'user ann may not execute'
expect "the daemon's log has the message" daemon_said 'org.example.foreign: .*RISC-V'
stop_daemon
