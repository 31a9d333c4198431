# A frozen group's programs stand still and go on when they are thawed.

group=/sys/fs/cgroup/app
mkdir "$group"
: >/run/count
sh -c "echo \$\$ >$group/cgroup.procs; while :; do echo >>/run/count; sleep 0.1; done" &
counted() { wc -l </run/count; }
has_counted() { [ "$(counted)" -ge "$1" ]; }
wait_for 5 "it counts" has_counted 3

echo 1 >"$group/cgroup.freeze"
wait_for 2 "it is frozen" text_in "$group/cgroup.events" "frozen 1"
before=$(counted)
dwell 600
expect_equal "what it has counted in ten minutes" "$(counted)" "$before"

echo 0 >"$group/cgroup.freeze"
wait_for 2 "it counts again" has_counted $((before + 3))
echo 1 >"$group/cgroup.kill"
wait_for 2 "its group is empty" text_in "$group/cgroup.events" "populated 0"

echo "+memory +pids" >/sys/fs/cgroup/cgroup.subtree_control
expect "its memory can be limited" test -w "$group/memory.max"
echo 1 >"$group/pids.max"
expect_not "one process is one too few for two" \
  sh -c "echo \$\$ >$group/cgroup.procs; /bin/true 2>/dev/null | /bin/cat 2>/dev/null"
