package dev.unjank.doctor.report.html;

import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.RootCause;
import dev.unjank.doctor.model.RootCauses;
import dev.unjank.doctor.report.CauseMessages;
import dev.unjank.doctor.report.ReportForm;
import java.io.IOException;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Writes the root causes for the page: their facts, stacks and incidents. */
final class PageCauses {
    private final JsonGenerator json;
    private final PagePools pools;
    private final Diagnosis diagnosis;
    private final RootCauses causes;

    PageCauses(JsonGenerator json, PagePools pools, Diagnosis diagnosis) {
        this.json = json;
        this.pools = pools;
        this.diagnosis = diagnosis;
        this.causes = RootCauseFinder.of(diagnosis);
    }

    /** Writes all root causes, with the incidents below a number. */
    void write(int incidents) throws IOException {
        json.writeNumberProperty("rankedBy", pools.prose(CauseMessages.measure(causes.measure())));
        json.writeArrayPropertyStart("causes");
        for (RootCause cause : causes.causes()) {
            json.writeStartObject();
            json.writeNumberProperty("verdict", pools.name(cause.verdict().name()));
            json.writeNumberProperty("what", pools.prose(CauseMessages.what(cause)));
            json.writeNumberProperty("where", pools.prose(CauseMessages.where(cause)));
            json.writeNumberProperty("group", pools.prose(CauseMessages.name(cause.waiters())));
            json.writeNumberProperty("occurrences", cause.occurrences());
            json.writeNumberProperty("waiters", cause.waiters().threads());
            json.writeNumberProperty("cost", cause.costNs());
            json.writeNumberProperty("total", cause.totalNs());
            json.writeNumberProperty("p50", cause.p50Ns());
            json.writeNumberProperty("p95", cause.p95Ns());
            json.writeNumberProperty("max", cause.maxNs());
            List<ReportForm.Field> fields = CauseMessages.fields(cause, causes, diagnosis);
            numbers("labels", fields.stream().mapToInt(field -> pools.prose(field.label())).toArray());
            numbers("values", fields.stream().mapToInt(field -> pools.prose(field.value())).toArray());
            stacks(cause.stacks());
            numbers(
                    "incidents",
                    cause.incidents().stream()
                            .mapToInt(Integer::intValue)
                            .filter(id -> id < incidents)
                            .toArray());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void stacks(List<RootCause.StackTotal> stacks) throws IOException {
        json.writeArrayPropertyStart("stacks");
        for (RootCause.StackTotal stack : stacks) {
            json.writeStartObject();
            json.writeNumberProperty("dur", stack.durNs());
            json.writeNumberProperty("waits", stack.waits());
            numbers("waiter", frames(stack.waiter()));
            numbers("owner", frames(stack.owner()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private int[] frames(CallStack stack) {
        int[] frames = new int[stack.frames().size()];
        for (int i = 0; i < frames.length; i++) {
            CodeLocation frame = stack.frames().get(i);
            frames[i] = pools.prose(CauseMessages.frame(frame));
        }
        return frames;
    }

    private void numbers(String name, int... values) throws IOException {
        json.writeArrayPropertyStart(name);
        for (int value : values) {
            json.writeNumber(value);
        }
        json.writeEndArray();
    }
}
