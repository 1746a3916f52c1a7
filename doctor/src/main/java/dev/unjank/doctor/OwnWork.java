package dev.unjank.doctor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A late frame that its own program's work made late, rather than waits.
 *
 * @param frame the frame
 * @param waitedNs for how long it waited nevertheless, in ns
 * @param maker who made the program
 * @param worker the thread of the program that worked on it for longest; null if the trace does not tell
 * @param ranNs how long that one ran in the rest of the frame, in ns; 0 if the trace does not tell
 * @param pieces what that rest was made of in the program's own words, longest first; only what is worth a word
 */
public record OwnWork(
        Frame frame, long waitedNs, Maker maker, @Nullable ThreadRef worker, long ranNs, List<Piece> pieces) {
    /** Keeps its own copy of the list. */
    public OwnWork {
        pieces = List.copyOf(pieces);
    }

    /**
     * Slices of one name.
     *
     * @param name the name
     * @param durNs how long they took, without the slices within them, in ns
     */
    public record Piece(String name, long durNs) {}
}
