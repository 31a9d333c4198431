# The bench runs the files that "make install" has installed: the programs of the release build, which need no Swift
# library, the profiles, and a unit whose program exists.

for program in binnacled binnacle binnacle-sim; do
  expect "$program is the one that was built" \
    cmp "/usr/bin/$program" "$BENCH_HOME/../.build/release/$program"
  expect_not "$program needs no library of Swift" sh -c "ldd /usr/bin/$program | grep -i -e swift -e 'not found'"
done

for profile in /usr/share/binnacle/boards/*.conf; do
  expect "$(basename "$profile") is understood" \
    binnacled --board "$profile" --receiver /dev/null --check
done

program=$(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' /usr/lib/systemd/system/binnacled.service)
expect_equal "the unit's program" "$program" /usr/bin/binnacled
systemd-sysusers /usr/lib/sysusers.d/binnacle.conf
expect "there is a user binnacle in dialout" sh -c 'id -Gn binnacle | grep -q -w dialout'
