package dev.unjank.workbench.lab.program;

import java.nio.ByteBuffer;
import java.util.zip.Deflater;

/**
 * A JNI critical section of about a second without a custom native library: {@link Deflater} holds one while it
 * compresses an array into another, but not while it compresses between off-heap buffers. It computes instead of
 * sleeping like a scanner's read, which is the same for the garbage collector.
 */
final class JniScan implements NativeScan {
    private static final int TRIAL_BYTES = 1 << 18;
    private static final int MOST_BYTES = 12 << 20;

    private final byte[] data;
    private final byte[] compressed;
    private final ByteBuffer directData;
    private final ByteBuffer directCompressed;

    /** Calibrates the amount of data that this machine compresses in the given time. */
    JniScan(long nanos) {
        byte[] trial = letters(TRIAL_BYTES);
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            long start = System.nanoTime();
            deflate(trial, new byte[TRIAL_BYTES]);
            best = Math.min(best, System.nanoTime() - start);
        }
        int size = (int) Math.min(MOST_BYTES, Math.max(TRIAL_BYTES, (double) TRIAL_BYTES * nanos / best));
        data = letters(size);
        compressed = new byte[size];
        directData = ByteBuffer.allocateDirect(size).put(data);
        directCompressed = ByteBuffer.allocateDirect(size);
    }

    /** Random data from few letters, which is slow to compress. */
    private static byte[] letters(int size) {
        byte[] letters = new byte[size];
        long x = 88_172_645_463_325_252L;
        for (int i = 0; i < size; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
            letters[i] = (byte) ('a' + (x & 3));
        }
        return letters;
    }

    @Override
    public void critically() {
        deflate(data, compressed);
    }

    private static void deflate(byte[] from, byte[] to) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        deflater.setInput(from);
        deflater.finish();
        deflater.deflate(to);
        deflater.end();
    }

    @Override
    public void copied() {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        deflater.setInput(directData.rewind());
        deflater.finish();
        deflater.deflate(directCompressed.clear());
        deflater.end();
    }
}
