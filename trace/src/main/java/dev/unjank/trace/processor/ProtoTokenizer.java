package dev.unjank.trace.processor;

import dev.unjank.trace.processor.MetadataRows.Scope;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.read.common.ClockConverter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.zip.InflaterInputStream;

/** Reads a Perfetto trace: keeps its events to be sorted by time, and reads at once what later packets need. */
final class ProtoTokenizer {
    private static final int BOOTTIME = 6;
    private static final int MAX_CPUS = 1024;
    private static final int STATE_CLEARED = 1;
    private static final int NEEDS_STATE = 2;
    private static final int FIRST_SEQUENCE_CLOCK = 64;

    /** A packet to be read in time order. */
    record Packet(ProtoFields fields, PacketSequence.Generation generation, long ts) {}

    /** An event of a compact bundle: a switch if {@code flags} is {@link #SWITCH}. */
    record Compact(int cpu, long tid, long priority, int name, long stateOrCpu, int flags) {}

    /** An event of the kernel and the symbols of its sequence. */
    record KernelEvent(int cpu, byte[] bytes, PacketSequence.Generation generation) {}

    static final int SWITCH = -2;
    private static final int KINDS = 3;

    private final ProcessorContext context;
    private final EventQueues queues;
    private final TrackEvents trackEvents;
    private final SystemRows system;
    private final ClockRows clocks;
    private final RecorderStats stats;
    private final Map<Integer, PacketSequence> sequences = new HashMap<>();
    private final Set<Integer> seenCpus = new HashSet<>();
    private long latestTime;

    ProtoTokenizer(
            ProcessorContext context,
            EventQueues queues,
            TrackEvents trackEvents,
            SystemRows system,
            ClockRows clocks) {
        this.context = context;
        this.queues = queues;
        this.trackEvents = trackEvents;
        this.system = system;
        this.clocks = clocks;
        stats = new RecorderStats(context);
    }

    void read(byte[] trace, int from, int to) {
        ProtoReader reader = new ProtoReader().reset(trace, from, to);
        while (reader.next()) {
            if (reader.field() == 1 && reader.isBytes()) {
                packet(trace, reader.from(), reader.to());
            }
        }
    }

    private void packet(byte[] bytes, int from, int to) {
        ProtoFields packet = ProtoFields.of(bytes, from, to);
        int id = (int) packet.number(10);
        PacketSequence sequence = sequences.computeIfAbsent(id, PacketSequence::new);
        if (packet.number(41) != 0 || (packet.number(13) & STATE_CLEARED) != 0) {
            sequence.clear();
        } else if (packet.number(42) != 0) {
            sequence.generation.valid = false;
        }
        PacketSequence.Generation generation = sequence.generation;
        ProtoFields.Bytes defaults = packet.bytes(59);
        if (defaults != null) {
            generation.defaults = defaults.fields();
        }
        ProtoFields interned = packet.message(12);
        if (interned != null) {
            for (int i = 0; i < interned.size(); i++) {
                ProtoFields.Bytes entry = interned.bytesAt(i);
                if (entry != null) {
                    generation.intern(interned.numberAt(i), entry);
                }
            }
        }
        ProtoFields clock = packet.message(6);
        if (clock != null) {
            clocks.snapshot(clock, id);
        }
        long ts = time(packet, generation, id);
        if (ts == ClockConverter.UNKNOWN) {
            context.metadata.count("clock_sync_failure_no_path");
            return;
        }
        content(packet, sequence, ts);
    }

    /** The time of a packet on the trace's clock; packets without a time have the latest one. */
    private long time(ProtoFields packet, PacketSequence.Generation generation, int sequence) {
        if (!packet.has(8)) {
            return Math.max(latestTime, queues.latest());
        }
        ProtoFields defaults = generation.defaults;
        long clock = packet.number(58, defaults == null ? 0 : defaults.number(58));
        long time = packet.number(8);
        if (clock == 0) {
            clock = defaultClock();
        }
        long ts = clock == clocks.traceClock() ? time : clocks.toTrace((int) clock, sequence, time);
        if (ts != ClockConverter.UNKNOWN) {
            latestTime = Math.max(latestTime, ts);
        }
        return ts;
    }

    private int defaultClock() {
        return BOOTTIME;
    }

    private void content(ProtoFields packet, PacketSequence sequence, long ts) {
        for (int i = 0; i < packet.size(); i++) {
            ProtoFields.Bytes part = packet.bytesAt(i);
            if (part == null) {
                continue;
            }
            switch (packet.numberAt(i)) {
                case 1 -> bundle(part, sequence);
                case 50 -> compressed(part);
                case 33 -> config(part.fields());
                case 34 -> stats.ftrace(part.fields());
                case 35 -> stats.recorder(part.fields());
                case 45 -> system.systemInfo(part.fields());
                case 69 -> system.serviceEvent(ts, part.fields());
                case 89 -> uuid(part.fields());
                case 78 ->
                    context.metadata.text(
                            "ui_state",
                            Scope.TRACE,
                            Base64.getEncoder()
                                    .encodeToString(Arrays.copyOfRange(part.array(), part.from(), part.to())));
                case 60 ->
                    queues.add(
                            0,
                            ts,
                            trackEvents.descriptor(part.fields(), sequence.generation, packet.number(87) != 0),
                            0,
                            0);
                case 43 -> trackEvents.processDescriptor(part.fields(), sequence.generation);
                case 44 -> trackEvents.threadDescriptor(part.fields(), sequence.generation);
                case 11 -> trackEvents.tokenize(packet, sequence, ts, queues, clocks);
                case 39 -> logs(part.fields());
                case 2, 7, 9, 38, 40, 47, 57, 66, 67, 71, 76 ->
                    queues.add(0, ts, new Packet(packet, sequence.generation, ts), 0, 0);
                default -> {}
            }
        }
    }

    private void logs(ProtoFields packet) {
        for (ProtoFields.Bytes part : packet.all(1)) {
            ProtoFields event = part.fields();
            long ts = clocks.toTrace(1, 0, event.number(5));
            if (ts == ClockConverter.UNKNOWN) {
                context.metadata.count("clock_sync_failure_no_path");
            } else {
                queues.add(0, ts, new LogEvent(event), 0, 0);
            }
        }
        ProtoFields counts = packet.message(2);
        if (counts != null) {
            context.metadata.stats.merge("android_log_num_total", counts.number(1), Long::sum);
            context.metadata.stats.merge("android_log_num_failed", counts.number(2), Long::sum);
            context.metadata.stats.merge("android_log_num_skipped", counts.number(3), Long::sum);
        }
    }

    /** A line of Android's log. */
    record LogEvent(ProtoFields fields) {}

    private void config(ProtoFields config) {
        if (config.has(27) && context.metadata.text("trace_uuid") == null) {
            context.metadata.text("trace_uuid", Scope.TRACE, new UUID(config.number(27), config.number(28)).toString());
        }
        if (config.has(22)) {
            context.metadata.text("unique_session_name", Scope.TRACE, config.text(22));
        }
    }

    private void uuid(ProtoFields uuid) {
        context.metadata.text("trace_uuid", Scope.TRACE, new UUID(uuid.number(1), uuid.number(2)).toString());
    }

    private void compressed(ProtoFields.Bytes part) {
        try (InputStream in =
                new InflaterInputStream(new ByteArrayInputStream(part.array(), part.from(), part.length()))) {
            byte[] packets = in.readAllBytes();
            read(packets, 0, packets.length);
        } catch (IOException _) {
            context.metadata.count("traced_buf_abi_violations");
        }
    }

    private void bundle(ProtoFields.Bytes part, PacketSequence sequence) {
        byte[] bytes = part.array();
        ProtoReader reader = new ProtoReader().reset(bytes, part.from(), part.to());
        ProtoFields head = head(reader, bytes, part);
        int cpu = (int) head.number(1, -1);
        if (cpu < 0 || cpu >= MAX_CPUS) {
            context.metadata.count("ftrace_bundle_tokenizer_errors");
            return;
        }
        if (head.number(3) != 0) {
            context.metadata.stats.put("ftrace_cpu_has_data_loss[" + cpu + "]", 1L);
        }
        int clock = bundleClock(head, sequence.id);
        ProtoFields compact = head.message(4);
        if (compact != null) {
            compactSwitches(cpu, clock, sequence.id, compact);
            compactWakings(cpu, clock, sequence.id, compact);
        }
        KernelEvent kernel = new KernelEvent(cpu, bytes, sequence.generation);
        reader.reset(bytes, part.from(), part.to());
        ProtoReader event = new ProtoReader();
        while (reader.next()) {
            if (reader.field() == 2 && reader.isBytes()) {
                event.resetToField(reader);
                while (event.next()) {
                    if (event.field() == 1) {
                        long ts = toTrace(clock, sequence.id, event.value());
                        if (ts != ClockConverter.UNKNOWN) {
                            queues.add(queue(cpu, 0), ts, kernel, reader.from(), reader.to());
                        }
                        break;
                    }
                }
            }
        }
        if (seenCpus.add(cpu) && (head.has(9) || head.has(10))) {
            long ts = toTrace(clock, sequence.id, head.has(10) ? head.number(10) : head.number(9));
            if (ts > context.metadata.number("ftrace_latest_data_start_ns")) {
                context.metadata.number("ftrace_latest_data_start_ns", Scope.MACHINE_AND_TRACE, ts);
            }
        }
    }

    /** The fields of a bundle except for its events. */
    private static ProtoFields head(ProtoReader reader, byte[] bytes, ProtoFields.Bytes part) {
        ProtoFields head = ProtoFields.empty();
        reader.reset(bytes, part.from(), part.to());
        while (reader.nextExcept(2)) {
            head.add(reader);
        }
        return head;
    }

    /** The queue of a CPU's events of a kind: full events, compact switches or compact wakeups. */
    private static int queue(int cpu, int kind) {
        return 1 + cpu * KINDS + kind;
    }

    private long toTrace(int clock, int sequence, long time) {
        return clock == clocks.traceClock() ? time : clocks.toTrace(clock, sequence, time);
    }

    /** The clock of a bundle; one that is not the boot clock gets a reading from the bundle itself. */
    private int bundleClock(ProtoFields head, int sequence) {
        long kind = head.number(5);
        if (kind == 0) {
            return BOOTTIME;
        } else if (kind == 4 && !head.has(6)) {
            return 5;
        }
        int clock = FIRST_SEQUENCE_CLOCK + (int) kind;
        if (head.has(6) && head.has(7)) {
            ClockConverter converter = clocks.converter;
            converter.reading(converter.clock(clock, sequence), head.number(6), 1, false);
            converter.reading(converter.clock(BOOTTIME, sequence), head.number(7), 1, false);
            converter.endSnapshot();
        }
        return clock;
    }

    private int[] names(ProtoFields compact) {
        return compact.all(5).stream()
                .mapToInt(name -> context.strings.intern(name.array(), name.from(), name.length()))
                .toArray();
    }

    private void compactSwitches(int cpu, int clock, int sequence, ProtoFields compact) {
        long[] times = compact.numbers(1);
        long[] states = compact.numbers(2);
        long[] tids = compact.numbers(3);
        long[] priorities = compact.numbers(4);
        long[] indexes = compact.numbers(6);
        int[] names = names(compact);
        long time = 0;
        for (int i = 0; i < times.length && i < indexes.length && indexes[i] < names.length; i++) {
            time += times[i];
            long ts = toTrace(clock, sequence, time);
            queues.add(
                    queue(cpu, 1),
                    ts,
                    new Compact(cpu, tids[i], (int) priorities[i], names[(int) indexes[i]], states[i], SWITCH),
                    0,
                    0);
        }
    }

    private void compactWakings(int cpu, int clock, int sequence, ProtoFields compact) {
        long[] times = compact.numbers(7);
        long[] tids = compact.numbers(8);
        long[] targets = compact.numbers(9);
        long[] priorities = compact.numbers(10);
        long[] indexes = compact.numbers(11);
        long[] flags = compact.numbers(12);
        int[] names = names(compact);
        long time = 0;
        for (int i = 0; i < times.length && i < indexes.length && indexes[i] < names.length; i++) {
            time += times[i];
            long ts = toTrace(clock, sequence, time);
            queues.add(
                    queue(cpu, 2),
                    ts,
                    new Compact(
                            cpu,
                            tids[i],
                            (int) priorities[i],
                            names[(int) indexes[i]],
                            targets[i],
                            i < flags.length ? (int) flags[i] : 0),
                    0,
                    0);
        }
    }
}
