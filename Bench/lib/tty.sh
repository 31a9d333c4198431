# Serial lines. ttyS0 and ttyS1 are the two ends of a null modem; it has no speed of its own.

# null_modem: both ends raw and silent.
null_modem() {
  for end in /dev/ttyS0 /dev/ttyS1; do stty -F "$end" raw -echo 9600; done
}
