# The disk writes of a durable change of 64 bytes, for 200 changes in a loop without a pause.
# bench: disk=64M partition=8M time=natural limit=600

# The journal of the file system commits after 5 s.
settling=7
file_system defaults
filled_log /data/state.log
open_log /data/state.log 200 0
# The journal commits the inode's times once, with two flushes: 202 flushes for 200 changes. Only a partition has 200 flushes.
cost "in a loop: log, file" "$disk" 200 changes
at_most 4200 1.0
open_log /data/state.log 6000 0 60
cost "in a loop: log, file, a record in groups of 60" "$disk" 6000 changes
at_most 140 0.02
filled_log "$partition"
open_log "$partition" 200 0
cost "in a loop: log, partition" "$partition" 200 changes
at_most 4200 1.00
open_log "$partition" 6000 0 60
cost "in a loop: log, partition, a record in groups of 60" "$partition" 6000 changes
at_most 140 0.02

for way in lmdb sqlite rename; do
  file_system defaults
  other "$way" /data/prepared 1 0
  cost "in a loop: $way" "$disk" 200 other "$way" /data/loop 200 0
done
file_system defaults
user_defaults 1 0
cost "in a loop: UserDefaults" "$disk" 200 user_defaults 200 0
