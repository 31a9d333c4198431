# Two consoles work at the same time, on a UART and on a USB gadget line. They answer commands. The output has the speed of the line, and
# Ctrl-C stops it. After a cable is pulled during output and plugged in again, the console answers again.
# bench: limit=120

consoles_on_lines
for name in uart gadget; do
  typed "$name" '\r'
  wait_for 20 "the console on the $name shows a prompt" text_in "$said/$name" 'no-daemon> '
  typed "$name" 'version\r'
  wait_for 20 "the console on the $name prints the version" text_in "$said/$name" '^binnacle [0-9]'
done

# At 9600 baud the line carries 960 bytes a second. The help of all commands has more than ten times as many bytes.
typed uart 'help --all\r'
wait_for 20 "the console on the UART prints the help" text_in "$said/uart" 'services'
dwell 2
typed uart '\003'
wait_for 5 "Ctrl-C stops the help on the UART" text_in "$said/uart" '\^C'
size=$(stat -c %s "$said/uart")
say "the console has printed $size bytes on the UART"
expect "the console has printed at most 8000 bytes on the UART" test "$size" -le 8000
typed uart 'exit\r'

# The cable is pulled while the console prints.
typed gadget 'help --all\r'
wait_for 20 "the console on the gadget line prints the help" text_in "$said/gadget" 'services'
pull_gadget
return_gadget
