package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.html.HtmlReport;
import dev.unjank.doctor.report.text.RootCauseReport;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.JsonReportSchema;
import dev.unjank.doctor.scene.PageJson;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The root causes of the programs in {@code examples/causes}: text, JSON and page say the same of them. */
class ExampleCauseReportsTest {
    /** The three reports of one diagnosis. */
    private record Reports(String text, JsonNode json, JsonNode page) {
        static Reports of(String program) throws IOException, UnusableTraceException {
            Path folder = Path.of(System.getProperty("unjank.root", ".."), "examples", "causes");
            Trace trace = TraceReader.read(folder.resolve(program + ".jfr.gz"));
            Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults());
            StringWriter page = new StringWriter();
            HtmlReport.write(diagnosis, trace, StubQueries.OF_TRACE, page);
            ObjectMapper mapper = new ObjectMapper();
            return new Reports(
                    RootCauseReport.of(diagnosis, TextReport.Style.plain(), StubQueries.OF_TRACE)
                            .replaceAll("\\s+", " "),
                    mapper.readTree(JsonReportSchema.json(diagnosis)),
                    mapper.readTree(PageJson.of(page.toString())));
        }

        String pageText(JsonNode index) {
            return page.get("texts").get(index.asInt()).asString();
        }

        /** The facts of a root cause, each as label and value. */
        List<String> facts(JsonNode cause) {
            List<String> facts = new ArrayList<>();
            JsonNode flat = cause.get("facts");
            for (int i = 0; i < flat.size(); i += 2) {
                facts.add(pageText(flat.get(i)) + ": " + pageText(flat.get(i + 1)));
            }
            return facts;
        }

        /** The methods of a stack, the innermost first. */
        List<String> stack(int innermost) {
            List<String> methods = new ArrayList<>();
            JsonNode calls = page.get("calls");
            for (int call = innermost; call >= 0; call = calls.get(3 * call).asInt()) {
                methods.add(pageText(calls.get(3 * call + 1)));
            }
            return methods;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SlowJournal, SLEEPING_OWNER, SlowJournal.writeJournal (line 35), SlowJournal.writeJournal (line 36), "
                + "Release the lock before blocking",
        "ExhaustedPool, RESOURCE_EXHAUSTED, ExhaustedPool.borrow (line 50), , Hold the resource for a shorter time",
        "SleepingHandler, SLEPT, SleepingHandler.save (line 27), , Do not sleep on a thread",
        "CollectorUnderLock, GC_BLOCKED, , CollectorUnderLock.rebuild (line 51), Do not call System.gc()",
        "PinnedThreads, PINNED, PinnedThreads$Fourth.<clinit> (line 57), PinnedThreads$Fourth.<clinit> (line 57), "
                + "Do not block inside class initializers",
        "Deadlock, DEADLOCK, Deadlock.transfer (line 21), Deadlock.transfer (line 21), "
                + "Acquire these locks in the same order",
        "BusyPool, WAITED_FOR_RESULT, BusyPool.request (line 33), , Make the awaited work faster",
        "SlowSocket, SLOW_IO, SlowSocket.readPrice (line 41), , Move the I/O to another thread",
    })
    void theFirstCauseItsCodeAndItsAdviceAreInEveryReport(
            String program, String verdict, @Nullable String site, @Nullable String owner, String advice)
            throws IOException, UnusableTraceException {
        Reports reports = Reports.of(program);
        JsonNode first = reports.json.get("causes").get(0);
        assertThat(first.get("verdict").asString()).isEqualTo(verdict);
        assertThat(first.get("next").asString()).startsWith(advice);
        assertThat(reports.json.get("worst").asInt())
                .isEqualTo(first.get("example").asInt());
        String answer = reports.json.get("answer").asString();
        assertThat(answer).startsWith("Root cause 1: ");
        assertThat(reports.text)
                .as("the answer is the header of the text")
                .contains(answer.substring(0, answer.indexOf(". ")));

        assertThat(reports.text).contains(" 1 ", verdict, advice);
        assertThat(first.get("waiterSite").isNull()).isEqualTo(site == null);

        JsonNode onPage = reports.page.get("causes").get(0);
        assertThat(reports.pageText(onPage.get("verdict"))).isEqualTo(verdict);
        List<String> calls =
                new ArrayList<>(reports.stack(onPage.get("stacks").get(0).asInt()));
        calls.addAll(reports.stack(onPage.get("stacks").get(1).asInt()));
        if (site != null) {
            assertThat(reports.text).contains(site);
            assertThat(site).startsWith(first.get("waiterSite").get("method").asString() + " (");
            assertThat(reports.facts(onPage))
                    .anySatisfy(fact -> assertThat(fact).startsWith("Waiter: ").endsWith(", in " + site));
            assertThat(calls).contains(site);
        }
        if (owner != null) {
            assertThat(reports.text).contains(owner);
            assertThat(owner).startsWith(first.get("ownerSite").get("method").asString() + " (");
            assertThat(reports.facts(onPage))
                    .anySatisfy(fact -> assertThat(fact).endsWith(", in " + owner));
            assertThat(
                            verdict.equals("PINNED")
                                    ? calls
                                    : reports.stack(onPage.get("stacks").get(1).asInt()))
                    .as("a pinned thread is its own owner")
                    .contains(owner);
        }
        assertThat(reports.page
                        .get("advice")
                        .get(onPage.get("advice").asInt())
                        .get(0)
                        .asString())
                .startsWith(advice);
    }

    /** Samples show the code of a long handler: no line and no stack of a wait. */
    @Test
    void theCodeOfALongHandlerIsInEveryReport() throws IOException, UnusableTraceException {
        Reports reports = Reports.of("LongHandler");
        String waiter = "AWT-EventQueue-0, in LongHandler.recalculate";
        assertThat(reports.text)
                .contains(
                        "Root cause long handler Handler LongHandler.clicked Waiter " + waiter,
                        "119 (99 %), 119 (99 %): LongHandler.recalculate",
                        "Move long work from the event thread to a worker");

        JsonNode first = reports.json.get("causes").get(0);
        assertThat(first.get("verdict").asString()).isEqualTo("LONG_HANDLER");
        assertThat(first.get("resource").asString()).isEqualTo("LongHandler.clicked");
        assertThat(first.get("waiterSite").get("method").asString()).isEqualTo("LongHandler.recalculate");
        assertThat(first.get("samples").asInt()).isEqualTo(120);
        assertThat(first.get("next").asString()).startsWith("Move long work from the event thread");

        assertThat(reports.facts(reports.page.get("causes").get(0)))
                .contains("Handler: LongHandler.clicked", "Waiter: " + waiter);
    }

    /** The threads that held the connections, and the thread that computed the results, with their code. */
    @ParameterizedTest
    @CsvSource({
        "ExhaustedPool, Holder, handler-#, 12, 'handler-# (12 threads), which took it in', ExhaustedPool.borrow (line 50), "
                + "'Holder code: ExhaustedPool$Connection.query (line 17), sleeping', ExhaustedPool$Connection.query",
        "BusyPool, Producer, pricing-0, 1, 'pricing-0, in', BusyPool.computePrice, 'On CPU: 82 samples', ",
    })
    void theOwnersOfPoolsAreInEveryReport(
            String program,
            String label,
            String group,
            int count,
            String threads,
            String site,
            String activity,
            @Nullable String activityMethod)
            throws IOException, UnusableTraceException {
        Reports reports = Reports.of(program);
        String owner = threads + " " + site;
        assertThat(reports.text).contains(label + " " + owner, activity.replace(":", ""));

        JsonNode first = reports.json.get("causes").get(0);
        assertThat(first.get("owners").get("name").asString()).isEqualTo(group);
        assertThat(first.get("owners").get("threads").asInt()).isEqualTo(count);
        assertThat(site).startsWith(first.get("ownerSite").get("method").asString());
        assertThat(first.get("ownerActivity")
                        .valueStream()
                        .map(call -> call.get("method").asString()))
                .isEqualTo(activityMethod == null ? List.of() : List.of(activityMethod));

        assertThat(reports.facts(reports.page.get("causes").get(0)))
                .contains(label + ": " + owner)
                .anySatisfy(fact -> assertThat(fact).startsWith(activity));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SlowJournal",
                "ExhaustedPool",
                "CollectorUnderLock",
                "SleepingHandler",
                "BusyPool",
                "PinnedThreads",
                "Deadlock",
                "SlowSocket",
                "LongHandler"
            })
    void pageAndJsonHaveTheSameNumbers(String program) throws IOException, UnusableTraceException {
        Reports reports = Reports.of(program);
        JsonNode causes = reports.json.get("causes");
        assertThat(reports.page.get("causes").size()).isEqualTo(causes.size()).isPositive();
        JsonNode causeOf = reports.page.get("causeOf");
        for (int i = 0; i < causes.size(); i++) {
            JsonNode cause = causes.get(i);
            JsonNode onPage = reports.page.get("causes").get(i);
            for (String number : List.of("total", "p50", "p95", "max", "cost")) {
                assertThat(onPage.get(number).asLong())
                        .as(number)
                        .isEqualTo(cause.get(number + "Ns").asLong());
            }
            assertThat(onPage.get("waits").asInt())
                    .isEqualTo(cause.get("incidents").size());
            assertThat(onPage.get("waiters").asInt())
                    .isEqualTo(cause.get("waiters").get("threads").asInt());
            for (JsonNode id : cause.get("incidents")) {
                assertThat(causeOf.get(id.asInt() - 1).asInt()).isEqualTo(i);
            }
            JsonNode stacks = cause.get("stacks");
            assertThat(onPage.get("stacks").size()).isEqualTo(4 * stacks.size());
            for (int stack = 0; stack < stacks.size(); stack++) {
                assertThat(onPage.get("stacks").get(4 * stack + 3).asLong())
                        .isEqualTo(stacks.get(stack).get("durNs").asLong());
                assertThat(reports.stack(onPage.get("stacks").get(4 * stack).asInt()))
                        .hasSize(stacks.get(stack).get("waiter").size());
                assertThat(reports.stack(onPage.get("stacks").get(4 * stack + 1).asInt()))
                        .hasSize(stacks.get(stack).get("owner").size());
            }
        }
        long ofGroups = reports.page
                .get("groups")
                .valueStream()
                .mapToLong(group -> group.get("total").asLong())
                .sum();
        assertThat(ofGroups)
                .as("lanes and causes have the same waits")
                .isEqualTo(causes.valueStream()
                        .mapToLong(cause -> cause.get("totalNs").asLong())
                        .sum());
        JsonNode kinds = reports.json.get("blockedTime").get("kinds");
        JsonNode onPage = reports.page.get("blockedTime");
        assertThat(onPage.size()).isEqualTo(4 * kinds.size()).isPositive();
        for (int i = 0; i < kinds.size(); i++) {
            assertThat(onPage.get(4 * i + 2).asLong())
                    .isEqualTo(kinds.get(i).get("durNs").asLong());
            assertThat(onPage.get(4 * i + 3).asInt() == 1)
                    .as("idle time has no share")
                    .isEqualTo(kinds.get(i).get("kind").asString().equals("IDLE"));
        }
    }

    @Test
    void waitsThatAPauseProlongedAreNotCalledPauses() throws IOException, UnusableTraceException {
        assertThat(Reports.of("ExhaustedPool").text)
                .containsIgnoringWhitespaces(
                        "all threads, in 1 pause; also 2 waits of single threads (408.775 ms in total), prolonged by these pauses")
                .contains("the owner is unknown in 48 of 260 waits for other threads")
                .doesNotContain("Pause phases   GC pause");
        assertThat(Reports.of("CollectorUnderLock").text).contains("Pause phases");
    }
}
