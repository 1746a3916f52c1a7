package dev.unjank.lab.gc;

import dev.unjank.lab.linux.Timer;
import dev.unjank.lab.target.Scan;
import dev.unjank.lab.target.ScannerProgram;

/** Reads that block for a second, by the foreign function API. Made by its name, in the program that scans. */
public final class ForeignScan implements Scan {

    private final Timer scanner = new Timer();

    /** Opens the scanner. */
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
