# A board that sets out while its updates pause: how soon the first update comes, from a receiver that is awake and from one that
# sleeps, by an accelerometer that is read and by one whose interrupt line tells of movement.
# bench: limit=240

for wire in '' --wired; do
  errands lis3dh=0x18 ${wire:+"$wire"} 'RestBeforeSleep=60 s'
  setting_out 20 220 300
  expect_equal "sleeps of the receiver" "$(power_value sleeps)" 0
  errands_ended

  errands lis3dh=0x18 ${wire:+"$wire"} 'RestBeforeSleep=5 s'
  setting_out 20 420 500
  expect_within "sleeps of the receiver" "$(power_value sleeps)" 20 45
  errands_ended
done
