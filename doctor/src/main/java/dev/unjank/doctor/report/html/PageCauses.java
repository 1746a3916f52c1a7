package dev.unjank.doctor.report.html;

import dev.unjank.doctor.judge.LateSpans;
import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.judge.WaiterGroupFinder;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.SampledStacks;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.cause.CostMeasure;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.model.cause.RootCauses;
import dev.unjank.doctor.model.cause.WaiterGroup;
import dev.unjank.doctor.report.Advice;
import dev.unjank.doctor.report.CauseMessages;
import dev.unjank.doctor.report.MessageCatalogue;
import dev.unjank.doctor.report.Messages;
import dev.unjank.doctor.report.ReportForm;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonGenerator;

/** Writes the root causes for the page, and the groups of threads that waited. */
final class PageCauses {
    /** Facts for which the page has something of its own. */
    private static final Set<String> SHOWN_OTHERWISE = Set.of(Messages.of("label.nextStep"));

    private final JsonGenerator json;
    private final PagePools pools;
    private final Diagnosis diagnosis;
    private final RootCauses causes;
    private final List<WaiterGroup> groups;
    private final StackPool stacks;

    PageCauses(JsonGenerator json, PagePools pools, Diagnosis diagnosis) {
        this.json = json;
        this.pools = pools;
        this.diagnosis = diagnosis;
        this.causes = RootCauseFinder.of(diagnosis);
        this.groups = WaiterGroupFinder.of(diagnosis);
        this.stacks = new StackPool(diagnosis.search().options().app());
    }

    /** Writes all root causes and groups; the cause and the group of an incident only below a number. */
    void write(int incidents) throws IOException {
        json.writeNumberProperty("rankedBy", pools.prose(CauseMessages.measure(causes.measure())));
        json.writeBooleanProperty("costIsOfFrames", causes.measure() == CostMeasure.MISSED_FRAMES);
        json.writeStringProperty("noStacks", Messages.of("page.stacks.none." + diagnosis.platform()));
        json.writeArrayPropertyStart("causes");
        for (RootCause cause : causes.causes()) {
            json.writeStartObject();
            write(cause);
            json.writeEndObject();
        }
        json.writeEndArray();
        samples(LateSpans.samples(diagnosis));
        stacks.writeTo(json, pools);
        json.writeArrayPropertyStart("groups");
        for (WaiterGroup group : groups) {
            ThreadRef longest = group.threads().longest();
            json.writeStartObject();
            json.writeNumberProperty("name", pools.prose(CauseMessages.name(group.threads())));
            json.writeNumberProperty("process", pools.name(longest.process()));
            json.writeNumberProperty(
                    "threads", longest.isAllOfProcess() ? 0 : group.threads().threads());
            json.writeNumberProperty("total", group.totalNs());
            json.writeEndObject();
        }
        json.writeEndArray();
        column(
                "causeOf",
                incidents,
                causes.causes().stream().map(RootCause::allIncidents).toList());
        column("groupOf", incidents, groups.stream().map(WaiterGroup::incidents).toList());
    }

    private void write(RootCause cause) throws IOException {
        json.writeNumberProperty("verdict", pools.name(cause.verdict().name()));
        json.writeNumberProperty(
                "title", pools.name(MessageCatalogue.verdict(cause.example().judgement())));
        json.writeNumberProperty("what", pools.prose(CauseMessages.what(cause)));
        json.writeNumberProperty("where", pools.prose(CauseMessages.where(cause)));
        json.writeNumberProperty("waits", cause.incidents().size());
        json.writeNumberProperty("waiters", cause.waiters().threads());
        json.writeBooleanProperty("allThreads", cause.waiters().longest().isAllOfProcess());
        json.writeNumberProperty("cost", cause.costNs());
        json.writeNumberProperty("total", cause.totalNs());
        json.writeNumberProperty("p50", cause.p50Ns());
        json.writeNumberProperty("p95", cause.p95Ns());
        json.writeNumberProperty("max", cause.maxNs());
        json.writeArrayPropertyStart("facts");
        for (ReportForm.Field fact : CauseMessages.fields(cause, causes, diagnosis, CauseMessages.Detail.ALL)) {
            if (!SHOWN_OTHERWISE.contains(fact.label()) && !fact.label().equals(CauseMessages.statesLabel(cause))) {
                PagePools.numbers(json, pools.prose(fact.label()), pools.prose(fact.value()));
            }
        }
        json.writeEndArray();
        json.writeNumberProperty("advice", pools.advice(Advice.of(cause.example(), diagnosis.platform())));
        json.writeNumberProperty("statesLabel", pools.prose(CauseMessages.statesLabel(cause)));
        json.writeNumberProperty("ownerStack", pools.prose(CauseMessages.ownerStackLabel(cause)));
        json.writeArrayPropertyStart("states");
        for (Incident.StateDuration time : cause.ownerStates()) {
            PagePools.numbers(json, pools.name(time.state().name()), time.durNs());
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("stacks");
        for (RootCause.StackTotal stack : cause.stacks()) {
            PagePools.numbers(
                    json, stacks.number(stack.waiter()), stacks.number(stack.owner()), stack.waits(), stack.durNs());
        }
        json.writeEndArray();
        samples(cause.samples());
    }

    /** Writes the stacks of running threads, with the number of samples of each. */
    private void samples(SampledStacks samples) throws IOException {
        json.writeArrayPropertyStart("samples");
        for (SampledStacks.Stack stack : samples.stacks()) {
            PagePools.numbers(json, stacks.number(stack.stack()), stack.samples());
        }
        json.writeEndArray();
    }

    /** Writes the list that each incident is in. */
    private void column(String name, int incidents, List<List<Integer>> lists) throws IOException {
        int[] column = new int[incidents];
        Arrays.fill(column, PagePools.NONE);
        for (int list = 0; list < lists.size(); list++) {
            for (int id : lists.get(list)) {
                if (id <= incidents) {
                    column[id - 1] = list;
                }
            }
        }
        json.writeArrayPropertyStart(name);
        for (int list : column) {
            json.writeNumber(list);
        }
        json.writeEndArray();
    }
}
