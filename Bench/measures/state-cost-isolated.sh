# What a durable change of 64 bytes costs the disk when it is alone for 10 s, a group of 60 when it is for 30 s.
# bench: disk=64M partition=8M limit=300

settling=60
for options in defaults lazytime; do
  file_system "$options"
  half_full_log /data/state.log
  cost "10 s apart: log, file, ext4 with $options" "$disk" 50 log_at /data/state.log 50 10
  at_most 17800 3.1
  cost "30 s apart: log, file, ext4 with $options, a record of 60" "$disk" 1200 log_at /data/state.log 1200 1 60
  at_most 400 0.06
done
half_full_log "$partition"
cost "10 s apart: log, partition" "$partition" 50 log_at "$partition" 50 10
at_most 4200 1.02
cost "30 s apart: log, partition, a record of 60" "$partition" 1200 log_at "$partition" 1200 1 60
at_most 140 0.02

for way in lmdb sqlite rename; do
  file_system defaults
  other "$way" /data/prepared 1 0
  cost "10 s apart: $way" "$disk" 50 other "$way" /data/isolated 50 10
done
file_system defaults
user_defaults 1 0
cost "10 s apart: UserDefaults" "$disk" 50 user_defaults 50 10
