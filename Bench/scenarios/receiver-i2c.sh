# A receiver on the I2C bus, where one transfer in a hundred fails. A transfer without acknowledge is repeated, so no
# position is missing. A transfer that is interrupted in the middle loses only its own epoch.
# bench: limit=120

i2c_chips --receiver m10
cat >/run/board.conf <<END
[Board]
I2C=/dev/i2c-$i2c_bus
[Receiver]
Device=i2c
END
device_for i2c "/dev/i2c-$i2c_bus"
start_daemon --board /run/board.conf
start_watch app
wait_for 30 "the client has its first position" has_fixes app 1
more_fixes 20 app 5

# gaps LINE: the gaps between the client's positions from this line of its output, one line for each gap of more than one second.
gaps() {
  sed -n "$1,\$s/.*\"timestamp\":\"[^\"]*T\\([0-9:]*\\)\\..*/\\1/p" "$said/app" | awk -F: '
    { now = $1 * 3600 + $2 * 60 + $3 }
    NR > 1 && (now - last + 86400) % 86400 != 1 { print last, now, (now - last + 86400) % 86400 - 1 }
    { last = now }'
}
lost_epochs() { gaps "$1" | awk '{ sum += $3 } END { print sum + 0 }'; }

from=$(($(lines_in "$said/app" .) + 1))
mishaps=$(i2c_mishaps)
transfers=$(i2c_transfers)
i2c_order nak 0.5%
i2c_order lost 0.5%
more_fixes 200 app 120
mishaps=$(($(i2c_mishaps) - mishaps))
say "$mishaps of $(($(i2c_transfers) - transfers)) transfers were lost or not acknowledged"
expect "at least 10 transfers failed" test "$mishaps" -ge 10
expect_equal "missing positions" "$(lost_epochs "$from")" 0

i2c_order nak 0%
i2c_order lost 0%
from=$(($(lines_in "$said/app" .) + 1))
mishaps=$(i2c_mishaps)
i2c_order stretch 1%
more_fixes 200 app 120
mishaps=$(($(i2c_mishaps) - mishaps))
expect "at least 5 transfers were interrupted" test "$mishaps" -ge 5
expect_within "missing positions, at most one for each interrupted transfer" "$(lost_epochs "$from")" 0 "$mishaps"
expect_equal "starts of the daemon" "$(daemon_starts)" 1
