# Bytes that are written to one end of the null modem arrive at the other end. Each end keeps its own speed.

null_modem
for speed in 9600 115200 921600; do
  stty -F /dev/ttyS0 "$speed"
  expect_equal "the speed of ttyS0" "$(stty -F /dev/ttyS0 speed)" "$speed"
done
expect_equal "the speed of ttyS1" "$(stty -F /dev/ttyS1 speed)" 9600

head -n 2 /dev/ttyS1 >/run/heard &
listener=$!
is_open() { ls -l "/proc/$1/fd" | grep -q "$2"; }
wait_for 2 "a program reads the line" is_open "$listener" /dev/ttyS1
printf 'one\ntwo\n' >/dev/ttyS0
wait "$listener"
expect_equal "text that arrived at ttyS1" "$(tr '\n' ' ' </run/heard)" "one two "
