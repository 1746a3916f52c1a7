package dev.unjank.workbench.lab.gc;

import dev.unjank.workbench.lab.clib.TimerFd;
import dev.unjank.workbench.lab.program.NativeScan;
import dev.unjank.workbench.lab.program.ScannerProgram;

/** Reads that block for a second, with the foreign function API. Created by name in the scanner program. */
public final class ForeignScan implements NativeScan {
    private final TimerFd scanner = new TimerFd();

    public ForeignScan() {}

    @Override
    public void critically() {
        scanner.readCritically(ScannerProgram.SCAN_NANOS);
    }

    @Override
    public void copied() {
        scanner.readAndCopy(ScannerProgram.SCAN_NANOS);
    }
}
