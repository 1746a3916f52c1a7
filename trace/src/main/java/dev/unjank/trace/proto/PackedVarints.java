package dev.unjank.trace.proto;

/**
 * Walks the numbers of a packed field. Like {@link ProtoReader} it neither throws nor makes objects; after damage there are
 * no further numbers.
 */
public final class PackedVarints {
    private static final byte[] NOTHING = {};

    private byte[] bytes = NOTHING;
    private int position;
    private int limit;

    /** Creates a walk over nothing. */
    public PackedVarints() {}

    /** Forgets the field. */
    public void clear() {
        position = limit;
    }

    /**
     * Sets the walk onto a reader's current field.
     *
     * @param reader stands at a packed field
     */
    public void resetToField(ProtoReader reader) {
        bytes = reader.bytes();
        position = reader.from();
        limit = reader.to();
    }

    /**
     * Whether there is another number.
     *
     * @return false at the end, or where the rest is damaged
     */
    public boolean hasNext() {
        return position < limit;
    }

    /**
     * Takes the next number.
     *
     * @return the number, 0 if there is none
     */
    public long next() {
        long result = 0;
        for (int shift = 0; shift < 64 && position < limit; shift += 7) {
            byte b = bytes[position++];
            result |= (b & 0x7fL) << shift;
            if (b >= 0) {
                return result;
            }
        }
        position = limit;
        return 0;
    }
}
