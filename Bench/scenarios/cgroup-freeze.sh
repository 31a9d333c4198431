# The programs of a frozen control group stop, and continue when the group is thawed. The kernel of the bench also kills a group, and limits
# its memory and its processes.

group=/sys/fs/cgroup/app
mkdir "$group"
: >/run/count
sh -c "echo \$\$ >$group/cgroup.procs; while :; do echo >>/run/count; sleep 0.1; done" &
counted() { wc -l </run/count; }
has_counted() { [ "$(counted)" -ge "$1" ]; }
wait_for 5 "the program in the group counts" has_counted 3

echo 1 >"$group/cgroup.freeze"
wait_for 2 "the group is frozen" text_in "$group/cgroup.events" "frozen 1"
before=$(counted)
dwell 600
expect_equal "the program's count after ten minutes in the frozen group" "$(counted)" "$before"

echo 0 >"$group/cgroup.freeze"
wait_for 2 "the program counts again in the thawed group" has_counted $((before + 3))
echo 1 >"$group/cgroup.kill"
wait_for 2 "the killed group is empty" text_in "$group/cgroup.events" "populated 0"

echo "+memory +pids" >/sys/fs/cgroup/cgroup.subtree_control
expect "the group's memory can be limited" test -w "$group/memory.max"
echo 1 >"$group/pids.max"
expect_not "a group with a limit of one process refuses a second process" \
  sh -c "echo \$\$ >$group/cgroup.procs; /bin/true 2>/dev/null | /bin/cat 2>/dev/null"
