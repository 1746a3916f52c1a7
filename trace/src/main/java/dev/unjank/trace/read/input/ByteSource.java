package dev.unjank.trace.read.input;

import java.io.IOException;

/** A sequential source of bytes: a mapped file, a stream, or unpacked data. */
public interface ByteSource {
    /** The number of leading bytes from which the format of a file is detected. */
    int HEAD_BYTES = 4096;

    /** Fills part of an array and returns the number of bytes read, -1 at the end. */
    int read(byte[] into, int from, int length) throws IOException;
}
