# The disk writes of a durable change of 64 bytes in three cases: changes that are 10 s apart, groups of 60 changes that are 30 s
# apart, and track points, of which 60 are one record each minute.
# bench: disk=64M partition=8M limit=300

settling=60
for options in defaults lazytime; do
  file_system "$options"
  filled_log /data/state.log 230
  open_log /data/state.log 50 10
  cost "10 s apart: log, file, ext4 with $options" "$disk" 50 changes
  at_most 17800 3.0
  open_log /data/state.log 1200 30 60
  cost "30 s apart: log, file, ext4 with $options, a record of 60" "$disk" 1200 changes
  at_most 400 0.06
  open_log /data/state.log 1200 60 stretch
  cost "a minute apart: log, file, ext4 with $options, a point of 60" "$disk" 1200 changes
  at_most 400 0.06
  # For records that are more than half a minute apart, the file system writes the inode for each record, too.
  open_log /data/state.log 1200 60 60
  cost "a minute apart: log, file, ext4 with $options, a record of 60" "$disk" 1200 changes
done
filled_log "$partition" 230
open_log "$partition" 50 10
cost "10 s apart: log, partition" "$partition" 50 changes
at_most 4200 1.00
open_log "$partition" 1200 30 60
cost "30 s apart: log, partition, a record of 60" "$partition" 1200 changes
at_most 140 0.02

for way in lmdb sqlite rename; do
  file_system defaults
  other "$way" /data/prepared 1 0
  cost "10 s apart: $way" "$disk" 50 other "$way" /data/isolated 50 10
done
file_system defaults
user_defaults 1 0
cost "10 s apart: UserDefaults" "$disk" 50 user_defaults 50 10
