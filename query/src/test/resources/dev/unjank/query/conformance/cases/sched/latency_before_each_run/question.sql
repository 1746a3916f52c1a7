INCLUDE PERFETTO MODULE sched.latency;
SELECT thread.tid, latency_dur FROM sched_latency_for_running_interval JOIN thread USING (utid) ORDER BY thread_state_id;
