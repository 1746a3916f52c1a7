package dev.unjank.trace.convert;

import dev.unjank.trace.model.Args;
import dev.unjank.trace.write.TrackEventWriter;
import java.util.function.BinaryOperator;

/** Copies the args of slices from a trace to another. */
public final class SliceArgCopier {
    /** The prefix that readers add to args of this form. */
    private static final String DEBUG = "debug.";

    private SliceArgCopier() {}

    /**
     * Adds the args of a slice to an event.
     *
     * @param args the args of the trace
     * @param slice the slice's row there
     * @param event the event that begins the slice in the other trace
     */
    public static void copy(Args args, int slice, TrackEventWriter.Event event) {
        copy(args, slice, event, (_, text) -> text);
    }

    /**
     * Adds the args of a slice to an event, with other strings.
     *
     * @param args the args of the trace
     * @param slice the slice's row there
     * @param event the event that begins the slice in the other trace
     * @param words maps a key, as in {@link TrackEventWriter.Event#arg(String, String)}, and its string to the string
     *     to be written
     */
    public static void copy(Args args, int slice, TrackEventWriter.Event event, BinaryOperator<String> words) {
        for (int row = args.first(slice); row < args.size() && args.slice(row) == slice; row++) {
            String key = args.key(row);
            String below = key.startsWith(DEBUG) ? key.substring(DEBUG.length()) : key;
            String text = args.text(row);
            if (text == null) {
                event.arg(below, args.value(row));
            } else {
                event.arg(below, words.apply(below, text));
            }
        }
    }
}
