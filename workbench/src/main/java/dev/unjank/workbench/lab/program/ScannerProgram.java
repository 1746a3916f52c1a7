package dev.unjank.workbench.lab.program;

import dev.unjank.looper.HandlerThread;
import dev.unjank.looper.Looper;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The recorded program: a UI thread that allocates while it draws, and a thread that scans for a second at a time. It
 * serves the requests {@code critically N} and {@code copied N}, which scan N times in a critical section or through
 * off-heap memory.
 */
public final class ScannerProgram {
    public static final String UI = "ui";

    public static final String SCANNER = "scanner";

    /** The approximate duration of a scan. */
    public static final long SCAN_NANOS = 1_000_000_000;

    /** The argument for scans in a JNI critical section. */
    public static final String JNI = "jni";

    private static final int FRAME_BYTES = 4 << 20;
    private static final int PIECE_BYTES = 16 << 10;
    private static final long BETWEEN_SCANS_MILLIS = 300;

    /** The data drawn last, so that it does not become garbage immediately. */
    private final byte[][] drawn = new byte[64][];

    private final NativeScan scan;
    private int pieces;
    private volatile @Nullable Throwable failure;

    private ScannerProgram(NativeScan scan) {
        this.scan = scan;
    }

    /**
     * Serves requests.
     *
     * @param args {@value #JNI}, or the name of a class that implements {@link NativeScan}
     * @throws ReflectiveOperationException if there is no such class
     */
    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        NativeScan scan = args[0].equals(JNI)
                ? new JniScan(SCAN_NANOS)
                : (NativeScan) Class.forName(args[0]).getDeclaredConstructor().newInstance();
        RequestServer.serve((what, count) -> new ScannerProgram(scan).scan(what.equals("critically"), (int) count));
    }

    private Map<String, Double> scan(boolean critically, int count) throws InterruptedException {
        HandlerThread ui = new HandlerThread(UI);
        ui.setDaemon(true);
        ui.start();
        Looper looper = Objects.requireNonNull(ui.getLooper(), "a thread just started has a looper");
        DurationSamples scans = new DurationSamples();
        Thread scanner = new Thread(() -> scan(critically, count, scans), SCANNER);
        Map<String, Double> figures = new HashMap<>(FrameLoop.run(looper, this::draw, () -> {
            scanner.start();
            scanner.join();
        }));
        ui.quit();
        if (failure != null) {
            throw new IllegalStateException("the scan failed", failure);
        }
        figures.put("scan", scans.figures().get("p50"));
        return figures;
    }

    private void scan(boolean critically, int count, DurationSamples scans) {
        try {
            for (int i = 0; i < count; i++) {
                Thread.sleep(BETWEEN_SCANS_MILLIS);
                long began = System.nanoTime();
                if (critically) {
                    scan.critically();
                } else {
                    scan.copied();
                }
                scans.add(System.nanoTime() - began);
            }
        } catch (Exception | LinkageError e) {
            failure = e;
        }
    }

    private void draw() {
        for (int bytes = 0; bytes < FRAME_BYTES; bytes += PIECE_BYTES) {
            drawn[pieces++ % drawn.length] = new byte[PIECE_BYTES];
        }
    }
}
