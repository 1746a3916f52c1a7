package dev.unjank.trace.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.build.TraceBuilder;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The gaps of traces, such as unknown blocked functions. */
class TraceGapsTest {
    private static final String ADVICE = "record with sched/sched_blocked_reason";

    /** A trace with an uninterruptible sleep, and the recorder's mark with the given detail, unless that is null. */
    private static List<String> gaps(@Nullable String detail) {
        TraceBuilder builder = new TraceBuilder("t");
        int name = builder.intern("worker");
        builder.kernel().javaProcess(1, 10, builder.intern("app"));
        builder.kernel().schedSwitch(1_000, 0, 0, -1, 120, SchedState.RUNNABLE, 11, name, 120);
        builder.kernel().schedSwitch(2_000, 0, 11, name, 120, SchedState.UNINTERRUPTIBLE, 0, -1, 120);
        builder.unmodeledEvent(3_000);
        if (detail != null) {
            int track = builder.tracks().newTrack(-1, 10);
            builder.tracks()
                    .trackInstant(1, track, builder.intern("unjank"), builder.intern("source: kernel scheduling"));
            int row = builder.tracks().arg(builder.intern("debug.detail"), Args.Type.TEXT, builder.intern(detail));
            builder.tracks().trackArgs(1, track, row, 1);
        }
        return TraceNote.sentences(TraceGaps.in(builder.build()).warnings());
    }

    @Test
    void adviceFollowsForOtherRecorders() {
        assertThat(gaps(null)).anyMatch(line -> line.endsWith(ADVICE));
    }

    @Test
    void aKernelWithoutTheEventIsNamed() {
        assertThat(gaps("of process 10; not in this kernel: sched_blocked_reason, sched_pi_setprio"))
                .noneMatch(line -> line.contains(ADVICE))
                .contains("the kernel functions in which threads slept are unknown, because this kernel has no"
                        + " sched_blocked_reason");
    }

    @Test
    void thereIsNoAdviceForThisRecorder() {
        assertThat(gaps("of process 10"))
                .noneMatch(line -> line.contains(ADVICE))
                .contains("the recording does not contain the kernel functions in which threads slept");
    }

    /** A trace with a thread that sleeps in the kernel and was created by another; the test adds more. */
    private static List<String> android(Consumer<TraceBuilder> more) {
        TraceBuilder builder = new TraceBuilder("t");
        int name = builder.intern("worker");
        builder.kernel().taskNew(500, 10, 11, name, 0x10000);
        builder.kernel().schedSwitch(1_000, 0, 0, -1, 120, SchedState.RUNNABLE, 11, name, 120);
        builder.kernel().schedSwitch(2_000, 0, 11, name, 120, SchedState.UNINTERRUPTIBLE, 0, -1, 120);
        more.accept(builder);
        builder.unmodeledEvent(5_000);
        return TraceNote.sentences(TraceGaps.in(builder.build()).warnings());
    }

    @Test
    void reasonsWithoutNamesWantSymbols() {
        assertThat(android(builder -> builder.kernel().blockedReason(3_000, 11, false, -1)))
                .anyMatch(line -> line.endsWith("without their names; record with symbolize_ksyms"))
                .noneMatch(line -> line.contains(ADVICE));
    }

    @Test
    void theCreatorOfAThreadIsNoWaker() {
        assertThat(android(builder -> {})).anyMatch(line -> line.startsWith("the trace contains no wakers"));
        assertThat(android(builder -> builder.kernel().waking(3_000, 1, 10, 11, 120)))
                .noneMatch(line -> line.contains("wakers"));
    }

    @Test
    void gapsOfATruncatedFileAreQualified() {
        assertThat(android(builder -> builder.addUnreadPart(TraceNote.of("unread.rest", "the file"))))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("as far as it could be read, the trace "));
    }
}
