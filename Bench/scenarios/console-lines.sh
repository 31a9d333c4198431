# The console on a UART and on a USB gadget line at once: commands are answered, output has the line's pace and Ctrl-C stops
# it, and the console comes back when a cable was pulled while it printed.
# bench: limit=120

consoles_on_lines
for name in uart gadget; do
  typed "$name" '\r'
  wait_for 20 "a prompt on the $name" text_in "$said/$name" 'no-daemon> '
  typed "$name" 'version\r'
  wait_for 20 "an answer on the $name" text_in "$said/$name" '^binnacle [0-9]'
done

# 9600 baud are 960 bytes a second. The help of all commands has more than ten times as many.
typed uart 'help --all\r'
wait_for 20 "the help begins" text_in "$said/uart" 'services'
dwell 2
typed uart '\003'
wait_for 5 "Ctrl-C stops it" text_in "$said/uart" '\^C'
size=$(stat -c %s "$said/uart")
say "the UART has printed $size bytes"
expect "the pace of the line" test "$size" -le 8000
typed uart 'exit\r'

# Pulled while it prints.
typed gadget 'help --all\r'
wait_for 20 "the help begins" text_in "$said/gadget" 'services'
pull_gadget
return_gadget
