package dev.unjank.doctor.report.html;

import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.report.ThreadLabels;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Texts, threads and kinds of states, each written once and a number elsewhere, {@value #NONE} for none. All text of a
 * trace goes through here, and so through {@link TerminalText#withSymbols}.
 */
final class PagePools {
    static final int NONE = -1;

    private final ValuePool<String> texts = new ValuePool<>();
    private final ValuePool<Who> threads = new ValuePool<>();
    private final ValuePool<Timeline.Kind> kinds = new ValuePool<>();
    private final ValuePool<List<String>> advice = new ValuePool<>();

    /** A thread whatever its priority is at the moment; without a name if nothing is known of it. */
    private record Who(
            int tid, @Nullable String name, @Nullable String process, boolean main, String facts) {}

    /** A string of the trace. */
    int name(@Nullable String text) {
        return text == null ? NONE : prose(TerminalText.start(text));
    }

    /** Words of ours, in which texts of the trace are cut already. */
    int prose(String text) {
        return texts.number(TerminalText.withSymbols(text));
    }

    /** The jank types of a frame, in Perfetto's words; none if it was not janky. */
    int jank(Frame frame) {
        return frame.jankType().equals(JankType.NONE.text()) ? NONE : name(frame.jankType());
    }

    int method(@Nullable CodeLocation site) {
        return site == null ? NONE : name(site.method());
    }

    int source(@Nullable CodeLocation site) {
        return site == null ? NONE : prose(WaitMessages.source(site));
    }

    int thread(ThreadRef thread) {
        String name = thread.isKnown() ? ThreadLabels.name(thread) : null;
        return threads.number(
                new Who(thread.tid(), name, thread.process(), thread.main(), ThreadLabels.identity(thread)));
    }

    /** Steps, what helps most first. */
    int advice(List<String> steps) {
        return advice.number(steps);
    }

    int kind(Timeline.Kind kind) {
        return kinds.number(kind);
    }

    /** To be called last, when all is known that goes into them. */
    void writeTo(JsonGenerator json) throws IOException {
        json.writeArrayPropertyStart("kinds"); // they may name further threads
        for (Timeline.Kind kind : kinds.values()) {
            json.writeStartArray();
            numbers(
                    json,
                    name(kind.state().name()),
                    kind.cpu(),
                    kind.priority(),
                    name(kind.function()),
                    kind.waker() == null ? NONE : thread(kind.waker()));
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("threads"); // they may have further texts
        for (Who who : threads.values()) {
            json.writeStartArray();
            numbers(
                    json,
                    who.tid(),
                    who.name() == null ? NONE : prose(who.name()),
                    name(who.process()),
                    who.main() ? 1 : 0,
                    prose(who.facts()));
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("advice");
        for (List<String> steps : advice.values()) {
            json.writeStartArray();
            for (String step : steps) {
                json.writeString(step);
            }
            json.writeEndArray();
        }
        json.writeEndArray();
        texts(json, "texts", texts.values());
    }

    /** Texts that nothing refers to by number. */
    static void texts(JsonGenerator json, String name, List<String> values) throws IOException {
        json.writeArrayPropertyStart(name);
        for (String value : values) {
            json.writeString(TerminalText.withSymbols(value));
        }
        json.writeEndArray();
    }

    static void numbers(JsonGenerator json, long... numbers) throws IOException {
        for (long number : numbers) {
            json.writeNumber(number);
        }
    }
}
