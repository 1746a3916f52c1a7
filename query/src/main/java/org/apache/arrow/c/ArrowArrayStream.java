package org.apache.arrow.c;

/**
 * The address of an Arrow C stream. DuckDB's driver accepts streams from Java only as objects of a class with this
 * name, and calls its single method by reflection. The struct at the address is plain C and needs no Arrow library.
 */
public final class ArrowArrayStream {
    private final long address;

    /**
     * Wraps an address.
     *
     * @param address of a {@code struct ArrowArrayStream}, which must remain valid while it is used
     */
    public ArrowArrayStream(long address) {
        this.address = address;
    }

    /**
     * The address of the stream; called by the driver.
     *
     * @return the address
     */
    public long memoryAddress() {
        return address;
    }
}
