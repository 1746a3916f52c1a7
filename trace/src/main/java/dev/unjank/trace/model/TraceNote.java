package dev.unjank.trace.model;

import dev.unjank.trace.text.MessageFile;
import java.util.List;
import java.util.stream.Stream;

/**
 * A note on a trace, such as a warning: its key in {@code notes.properties}, which contains the sentences, and the
 * values in the sentence.
 *
 * @param key the key of the sentence
 * @param arguments the values: strings, numbers and other notes
 */
public record TraceNote(String key, List<Object> arguments) {
    private static final MessageFile SENTENCES =
            new MessageFile(TraceNote.class.getResourceAsStream("notes.properties"), "notes.properties");

    /** Copies the list. */
    public TraceNote {
        arguments = List.copyOf(arguments);
    }

    /**
     * {@return a note}
     *
     * @param key the key of the sentence
     * @param arguments the values in it
     */
    public static TraceNote of(String key, Object... arguments) {
        return new TraceNote(key, List.of(arguments));
    }

    /**
     * {@return a note with a count, whose key ends in {@code .one} or {@code .other}}
     *
     * @param key the first part of the key
     * @param count the count, the first value in the sentence
     * @param more the other values
     */
    public static TraceNote counted(String key, long count, Object... more) {
        return new TraceNote(
                key + (count == 1 ? ".one" : ".other"),
                Stream.concat(Stream.<Object>of(count), Stream.of(more)).toList());
    }

    /**
     * {@return a number of times, as a value for another note: {@code once}, {@code twice}, {@code 3 times}}
     *
     * @param count the number
     */
    public static TraceNote times(long count) {
        return count == 1 ? of("once") : count == 2 ? of("twice") : of("times", count);
    }

    /**
     * {@return the sentences of some notes}
     *
     * @param notes the notes
     */
    public static List<String> sentences(List<TraceNote> notes) {
        return notes.stream().map(TraceNote::sentence).toList();
    }

    /** {@return the note as one line, without a period at the end} */
    public String sentence() {
        return SENTENCES.of(
                key,
                arguments.stream()
                        .map(value -> value instanceof TraceNote note ? note.sentence() : value)
                        .toArray());
    }
}
