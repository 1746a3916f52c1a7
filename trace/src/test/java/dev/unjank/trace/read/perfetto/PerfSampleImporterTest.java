package dev.unjank.trace.read.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.Machine;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.proto.PacketFields.Callstack;
import dev.unjank.trace.proto.PacketFields.Frame;
import dev.unjank.trace.proto.PacketFields.InternedData;
import dev.unjank.trace.proto.PacketFields.InternedString;
import dev.unjank.trace.proto.PacketFields.Mapping;
import dev.unjank.trace.proto.PacketFields.PackageInfo;
import dev.unjank.trace.proto.PacketFields.PackagesList;
import dev.unjank.trace.proto.PacketFields.PerfSample;
import dev.unjank.trace.proto.PacketFields.SystemInfo;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.PacketFields.Utsname;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stack samples, and the description of the machine. */
class PerfSampleImporterTest {
    private final ProtoWriter trace = new ProtoWriter();

    @TempDir
    private Path dir;

    private Trace read() throws IOException {
        Trace read = TraceReader.read(Files.write(dir.resolve("t"), trace.toByteArray()));
        TraceInvariants.check(read);
        return read;
    }

    private void packet(Runnable content) {
        int packet = trace.begin(dev.unjank.trace.proto.PacketFields.Trace.PACKET);
        content.run();
        trace.varint(TracePacket.TRUSTED_PACKET_SEQUENCE_ID, 7);
        trace.end(packet);
    }

    private void message(int field, Runnable content) {
        int message = trace.begin(field);
        content.run();
        trace.end(message);
    }

    private void string(int field, long iid, String text) {
        message(field, () -> {
            trace.varint(InternedString.IID, iid);
            trace.string(InternedString.STR, text);
        });
    }

    private void sample(long ts, int tid, long stack, int... more) {
        packet(() -> {
            trace.varint(TracePacket.TIMESTAMP, ts);
            trace.varint(TracePacket.SEQUENCE_FLAGS, TracePacket.SEQ_NEEDS_INCREMENTAL_STATE);
            message(TracePacket.PERF_SAMPLE, () -> {
                trace.varint(PerfSample.CPU, 2);
                trace.varint(PerfSample.PID, 10);
                trace.varint(PerfSample.TID, tid);
                trace.varint(PerfSample.CALLSTACK_IID, stack);
                for (int field : more) {
                    trace.varint(field, 1);
                }
            });
        });
    }

    @Test
    void stacksAreChainsOfCalls() throws IOException {
        packet(() -> {
            trace.varint(TracePacket.SEQUENCE_FLAGS, TracePacket.SEQ_INCREMENTAL_STATE_CLEARED);
            message(TracePacket.INTERNED_DATA, () -> {
                string(InternedData.FUNCTION_NAMES, 1, "main");
                string(InternedData.FUNCTION_NAMES, 2, "work");
                string(InternedData.MAPPING_PATHS, 1, "lib");
                string(InternedData.MAPPING_PATHS, 2, "libc.so");
                message(InternedData.MAPPINGS, () -> {
                    trace.varint(Mapping.IID, 1);
                    trace.varint(Mapping.PATH_STRING_IDS, 1);
                    trace.varint(Mapping.PATH_STRING_IDS, 2);
                });
                for (int frame = 1; frame <= 3; frame++) {
                    int number = frame;
                    message(InternedData.FRAMES, () -> {
                        trace.varint(Frame.IID, number);
                        trace.varint(Frame.FUNCTION_NAME_ID, number);
                        trace.varint(Frame.MAPPING_ID, 1);
                        trace.varint(Frame.REL_PC, 0xabc);
                    });
                }
                for (int stack = 1; stack <= 2; stack++) {
                    int number = stack;
                    message(InternedData.CALLSTACKS, () -> {
                        trace.varint(Callstack.IID, number);
                        trace.varint(Callstack.FRAME_IDS, 1);
                        trace.varint(Callstack.FRAME_IDS, 1 + number);
                    });
                }
            });
        });
        sample(200, 11, 2);
        sample(100, 11, 1);
        sample(300, 11, 9);
        sample(400, 11, 1, PerfSample.SAMPLE_SKIPPED_REASON);
        sample(500, 11, 1, PerfSample.KERNEL_RECORDS_LOST);

        Trace read = read();
        StackSamples samples = read.samples();
        assertThat(samples.size()).isEqualTo(3);
        assertThat(stack(read, samples.callstack(0))).containsExactly("work /lib/libc.so", "main /lib/libc.so");
        assertThat(stack(read, samples.callstack(1))).containsExactly("0xabc /lib/libc.so", "main /lib/libc.so");
        assertThat(stack(read, samples.callstack(2))).isEmpty();
        assertThat(samples.cpu(0)).isEqualTo(2);
        assertThat(read.callstacks().size()).isEqualTo(3);
        assertThat(read.warnings()).hasSize(2);
    }

    private static List<String> stack(Trace trace, int innermost) {
        Callstacks calls = trace.callstacks();
        List<String> names = new ArrayList<>();
        for (int call = innermost; call >= 0; call = calls.parent(call)) {
            names.add(calls.name(call) + " " + calls.file(call));
        }
        return names;
    }

    @Test
    void theMachineIsDescribed() throws IOException {
        packet(() -> message(TracePacket.SYSTEM_INFO, () -> {
            message(SystemInfo.UTSNAME, () -> {
                trace.string(Utsname.SYSNAME, "Linux");
                trace.string(Utsname.RELEASE, "6.1.0");
            });
            trace.varint(SystemInfo.ANDROID_SDK_VERSION, 35);
        }));
        packet(() -> message(
                TracePacket.PACKAGES_LIST,
                () -> message(PackagesList.PACKAGES, () -> {
                    trace.string(PackageInfo.NAME, "com.example");
                    trace.varint(PackageInfo.UID, 10_007);
                    trace.varint(PackageInfo.DEBUGGABLE, 1);
                    trace.varint(PackageInfo.VERSION_CODE, 42);
                })));
        Trace read = read();
        assertThat(read.machine().facts())
                .containsEntry("system_release", "6.1.0")
                .containsEntry("android_sdk_version", "35");
        assertThat(read.machine().packages()).containsExactly(new Machine.App("com.example", 10_007, true, false, 42));
    }
}
