# The bench runs the files that "make install" has installed. The programs are those of the release build and need no Swift library. The
# daemon accepts each installed profile. The unit starts the installed daemon.

for program in binnacled binnacle binnacle-sim; do
  expect "the installed $program is that of the release build" \
    cmp "/usr/bin/$program" "$BENCH_HOME/../.build/release/$program"
  expect_not "$program needs no library of Swift" sh -c "ldd /usr/bin/$program | grep -i -e swift -e 'not found'"
done

for profile in /usr/share/binnacle/boards/*.conf; do
  expect "the daemon accepts $(basename "$profile")" \
    binnacled --board "$profile" --receiver /dev/null --check
done

program=$(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' /usr/lib/systemd/system/binnacled.service)
expect_equal "the unit's program" "$program" /usr/bin/binnacled
systemd-sysusers /usr/lib/sysusers.d/binnacle.conf
expect "the user binnacle is in the group dialout" sh -c 'id -Gn binnacle | grep -q -w dialout'
