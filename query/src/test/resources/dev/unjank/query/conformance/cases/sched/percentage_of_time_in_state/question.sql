INCLUDE PERFETTO MODULE sched.time_in_state;
SELECT tid, running, runnable, runnable_preempted, other FROM sched_percentage_of_time_in_state JOIN thread USING (utid) WHERE tid = 11;
