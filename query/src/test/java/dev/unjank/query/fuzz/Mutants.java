package dev.unjank.query.fuzz;

import dev.unjank.fixture.ArbitraryNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Damaged copies of a trace by number: the same number gives the same bytes. */
final class Mutants {
    private static final int WHOLE = 200;

    private final SeedTrace trace;
    private final List<String> names;
    private final long seed;

    /**
     * Over a trace.
     *
     * @param names what to put in the place of names in it, damaged
     */
    Mutants(SeedTrace trace, List<String> names, long seed) {
        this.trace = trace;
        this.names = new ArrayList<>(ArbitraryNames.TYPICAL);
        this.names.addAll(names);
        this.seed = seed;
    }

    byte[] get(int number) throws IOException {
        Random random = new Random(seed * 1_000_003 + number);
        if (number % WHOLE == 0) {
            return ByteMutations.changed(random, trace.file());
        }
        byte[] content = trace.anyPiece(random);
        for (int changes = 1 + random.nextInt(random.nextBoolean() ? 2 : 12); changes > 0; changes--) {
            content = changed(random, content);
        }
        return switch (random.nextInt(24)) {
            case 0 -> trace.packed(random, content);
            case 1 -> ByteMutations.changed(random, trace.packed(random, content));
            case 2 -> doubled(random, content);
            default -> content;
        };
    }

    private byte[] changed(Random random, byte[] content) {
        return switch (trace.format()) {
            case PERFETTO -> new ProtobufMutations(random, names).changed(content);
            case TEXT -> new TextMutations(random, names).changed(content);
            case JFR -> new JfrMutations(random, names).changed(content);
        };
    }

    /** With another piece behind it. */
    private byte[] doubled(Random random, byte[] content) {
        byte[] other = trace.anyPiece(random);
        byte[] all = Arrays.copyOf(content, content.length + other.length);
        System.arraycopy(other, 0, all, content.length, other.length);
        return all;
    }
}
