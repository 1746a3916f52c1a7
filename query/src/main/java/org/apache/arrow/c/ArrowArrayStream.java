package org.apache.arrow.c;

/**
 * The address of an Arrow C stream. DuckDB's driver takes streams from Java only in an object of a class with this name, of
 * which it calls the one method; what is behind the address is plain C, specified, and needs nothing else of Arrow.
 */
public final class ArrowArrayStream {
    private final long address;

    /**
     * Names a stream.
     *
     * @param address of a {@code struct ArrowArrayStream}, which must outlive every use
     */
    public ArrowArrayStream(long address) {
        this.address = address;
    }

    /**
     * Where the stream is; called by the driver.
     *
     * @return the address
     */
    public long memoryAddress() {
        return address;
    }
}
