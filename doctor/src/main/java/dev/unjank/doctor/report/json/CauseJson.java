package dev.unjank.doctor.report.json;

import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.SampledStacks;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.model.cause.RootCauses;
import dev.unjank.doctor.model.cause.ThreadGroupRef;
import dev.unjank.doctor.report.Advice;
import java.io.IOException;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Writes root causes as JSON. */
final class CauseJson {
    private final RootCauses causes;
    private final Platform platform;
    private final JsonGenerator json;

    CauseJson(RootCauses causes, Platform platform, JsonGenerator json) {
        this.causes = causes;
        this.platform = platform;
        this.json = json;
    }

    void write(RootCause cause) throws IOException {
        json.writeNumberProperty("rank", cause.rank());
        json.writeStringProperty("verdict", cause.verdict().name());
        json.writeStringProperty("kind", cause.kind().name());
        json.writeStringProperty("resource", cause.resource());
        IncidentJson.text(json, "process", cause.process());
        IncidentJson.object(json, "waiters", cause.waiters(), this::group);
        IncidentJson.object(json, "owners", cause.owners(), this::group);
        IncidentJson.object(json, "waiterSite", cause.waiterSite(), this::site);
        IncidentJson.object(json, "ownerSite", cause.ownerSite(), this::site);
        IncidentJson.objects(json, "ownerActivity", cause.ownerActivity(), this::site);
        json.writeNumberProperty("occurrences", cause.occurrences());
        json.writeNumberProperty("totalNs", cause.totalNs());
        json.writeNumberProperty("p50Ns", cause.p50Ns());
        json.writeNumberProperty("p95Ns", cause.p95Ns());
        json.writeNumberProperty("maxNs", cause.maxNs());
        json.writeNumberProperty("costNs", cause.costNs());
        IncidentJson.objects(json, "verdicts", cause.verdicts(), this::total);
        IncidentJson.objects(json, "ownerStates", cause.ownerStates(), this::state);
        IncidentJson.objects(json, "stacks", cause.stacks(), this::stack);
        samples(json, cause.samples());
        json.writeStringProperty(
                "evidence", cause.example().judgement().evidence().name());
        json.writeStringProperty("next", Advice.of(cause.example(), platform).getFirst());
        json.writeNumberProperty("example", cause.example().id());
        ids("incidents", cause.incidents());
        ids("meanwhile", cause.meanwhile());
        RootCause.Key lock = cause.partOf();
        int rank = lock == null ? 0 : causes.rank(lock);
        IncidentJson.number(json, "partOf", rank == 0 ? null : rank);
    }

    private void ids(String name, List<Integer> ids) throws IOException {
        json.writeArrayPropertyStart(name);
        for (int id : ids) {
            json.writeNumber(id);
        }
        json.writeEndArray();
    }

    /** The stacks of running threads, folded for a flame graph. */
    static void samples(JsonGenerator json, SampledStacks samples) throws IOException {
        json.writeNumberProperty("samples", samples.samples());
        IncidentJson.objects(json, "onCpu", List.copyOf(samples.folded().entrySet()), stack -> {
            json.writeStringProperty("stack", stack.getKey());
            json.writeNumberProperty("samples", stack.getValue());
        });
    }

    private void group(ThreadGroupRef group) throws IOException {
        json.writeStringProperty("name", group.name());
        json.writeNumberProperty("threads", group.threads());
    }

    private void site(CodeLocation site) throws IOException {
        json.writeStringProperty("method", site.method());
        IncidentJson.text(json, "source", site.source());
    }

    private void total(Summary.Total total) throws IOException {
        json.writeStringProperty("verdict", total.verdict().name());
        json.writeNumberProperty("incidents", total.incidents());
        json.writeNumberProperty("durNs", total.durNs());
    }

    private void state(Incident.StateDuration time) throws IOException {
        json.writeStringProperty("state", time.state().name());
        json.writeNumberProperty("durNs", time.durNs());
    }

    private void stack(RootCause.StackTotal stack) throws IOException {
        json.writeNumberProperty("waits", stack.waits());
        json.writeNumberProperty("durNs", stack.durNs());
        IncidentJson.objects(json, "waiter", stack.waiter().frames(), this::site);
        IncidentJson.objects(json, "owner", stack.owner().frames(), this::site);
    }
}
