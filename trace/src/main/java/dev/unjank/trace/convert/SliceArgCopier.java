package dev.unjank.trace.convert;

import dev.unjank.trace.model.Args;
import dev.unjank.trace.write.TrackEventWriter;
import java.util.function.BinaryOperator;

/** What is told of slices beside their names, on its way from a trace into another. */
public final class SliceArgCopier {
    /** Readers put it before all that an event is told of in this form. */
    private static final String DEBUG = "debug.";

    private SliceArgCopier() {}

    /**
     * Tells the event that begins a slice all that is told of it.
     *
     * @param args the args of the same trace
     * @param slice its row there
     * @param event the event that begins it in the other trace
     */
    public static void copy(Args args, int slice, TrackEventWriter.Event event) {
        copy(args, slice, event, (_, text) -> text);
    }

    /**
     * Tells the event that begins a slice all that is told of it, texts in other words.
     *
     * @param args the args of the same trace
     * @param slice its row there
     * @param event the event that begins it in the other trace
     * @param words makes of a key, as {@link TrackEventWriter.Event#arg(String, String)} takes it, and its text the text to be told
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
