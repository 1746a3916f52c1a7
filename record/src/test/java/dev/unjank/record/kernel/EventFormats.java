package dev.unjank.record.kernel;

/** Descriptions of events as a kernel 6.18 gives them. */
final class EventFormats {
    static final String HEADER_PAGE = """
            \tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;
            \tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;
            \tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;
            \tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;
            """;

    static final String SCHED_SWITCH = """
            name: sched_switch
            ID: 372
            format:
            \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
            \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
            \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
            \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

            \tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;
            \tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;
            \tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;
            \tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;
            \tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;
            \tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;
            \tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;

            print fmt: "prev_comm=%s prev_pid=%d", REC->prev_comm, REC->prev_pid
            """;

    static final String PI_SETPRIO = """
            name: sched_pi_setprio
            ID: 362
            format:
            \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
            \tfield:__data_loc char[] comm;\toffset:8;\tsize:4;\tsigned:0;
            \tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;
            \tfield:int oldprio;\toffset:16;\tsize:4;\tsigned:1;
            \tfield:int newprio;\toffset:20;\tsize:4;\tsigned:1;
            \tfield:const struct __kernel_timespec * utime;\toffset:40;\tsize:8;\tsigned:0;
            """;

    private EventFormats() {}
}
