package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.ResourceUse;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.report.Advice;
import dev.unjank.doctor.report.CauseMessages;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs in {@code examples/causes} with a known cause each: recordings by Flight Recorder alone show it. */
class ExampleCausesTest {
    /** What Flight Recorder's threads wait for in Flight Recorder is no cause of the program. */
    @ParameterizedTest
    @ValueSource(strings = {"SlowJournal", "ExhaustedPool", "BusyPool", "CollectorUnderLock", "PinnedThreads"})
    void theRecorderIsNoCause(String program) throws IOException, UnusableTraceException {
        assertThat(RootCauseFinder.of(diagnose(program)).causes())
                .noneMatch(cause -> cause.resource().startsWith("jdk.jfr."));
    }

    /** Flight Recorder's recordings have no slices within slices: the events name the owners. */
    @ParameterizedTest
    @ValueSource(strings = {"SlowJournal", "CollectorUnderLock", "Deadlock"})
    void theRuntimeNamesTheOwnersOfMonitors(String program) throws IOException, UnusableTraceException {
        assertThat(diagnose(program).incidents())
                .filteredOn(incident -> incident.rootWait().kind() == WaitKind.MONITOR)
                .isNotEmpty()
                .noneMatch(incident -> incident.owner().evidence() == Evidence.OWNER_FROM_CHILD)
                .anyMatch(incident -> incident.owner().evidence() == Evidence.OWNER_NAMED);
    }

    private static Diagnosis diagnose(String program) throws IOException, UnusableTraceException {
        Path folder = Path.of(System.getProperty("unjank.root", ".."), "examples", "causes");
        Trace trace = TraceReader.read(folder.resolve(program + ".jfr.gz"));
        return Doctor.diagnose(trace, DoctorOptions.defaults());
    }

    private static Verdict mostTime(Diagnosis diagnosis) {
        return diagnosis.summary().verdicts().getFirst().verdict();
    }

    private static long total(Diagnosis diagnosis, Verdict verdict) {
        return diagnosis.summary().verdicts().stream()
                .filter(total -> total.verdict() == verdict)
                .mapToLong(Summary.Total::durNs)
                .sum();
    }

    private static List<Incident> of(Diagnosis diagnosis, Verdict verdict) {
        return diagnosis.incidents().stream()
                .filter(incident -> incident.verdict() == verdict)
                .sorted(Comparator.comparingLong(
                        incident -> -incident.rootWait().durNs()))
                .toList();
    }

    private static String method(Incident incident) {
        CodeLocation location = incident.rootWait().location();
        return location == null ? "" : location.method();
    }

    private static String advice(Diagnosis diagnosis, Incident incident) {
        return Advice.of(incident, diagnosis.platform()).getFirst();
    }

    @Test
    void slowJournal() throws IOException, UnusableTraceException {
        Diagnosis diagnosis = diagnose("SlowJournal");
        assertThat(mostTime(diagnosis)).isEqualTo(Verdict.LOCK_CONVOY);
        Incident worst = of(diagnosis, Verdict.LOCK_CONVOY).getFirst();
        assertThat(method(worst)).isEqualTo("SlowJournal.writeJournal");
        assertThat(advice(diagnosis, worst)).startsWith("Take the lock less often");
    }

    @Test
    void exhaustedPool() throws IOException, UnusableTraceException {
        Diagnosis diagnosis = diagnose("ExhaustedPool");
        assertThat(mostTime(diagnosis)).isEqualTo(Verdict.RESOURCE_EXHAUSTED);
        assertThat(total(diagnosis, Verdict.RESOURCE_EXHAUSTED)).isBetween(70_000_000_000L, 82_000_000_000L);
        Incident worst = of(diagnosis, Verdict.RESOURCE_EXHAUSTED).getFirst();
        assertThat(method(worst)).isEqualTo("ExhaustedPool.borrow");
        assertThat(worst.rootWait().target()).isEqualTo("LinkedBlockingQueue.take");
        assertThat(worst.judgement().evidence()).isEqualTo(Evidence.TIMING_INFERRED);
        assertThat(worst.owner().thread().name()).startsWith("handler-");
        ResourceUse use = worst.resource();
        assertThat(use.atOnce()).isEqualTo(2);
        assertThat(use.threads()).isEqualTo(12);
        assertThat(use.medianNs()).as("a query takes 60 ms").isBetween(50_000_000L, 70_000_000L);
        assertThat(use.takenAt().method()).isEqualTo("ExhaustedPool.borrow");
        RootCause cause = RootCauseFinder.of(diagnosis).causes().getFirst();
        assertThat(cause.ownerSite().method()).isEqualTo("ExhaustedPool.borrow");
        assertThat(cause.owners().threads())
                .as("all holders in turn, as in the use of the resource")
                .isEqualTo(use.threads());
        assertThat(RootCauseFinder.of(diagnosis).causes())
                .filteredOn(other -> other.verdict() == Verdict.SLEPT)
                .singleElement()
                .satisfies(sleeps -> assertThat(sleeps.partOf()).isEqualTo(cause.key()));
        assertThat(RootCauseFinder.of(diagnosis).causes())
                .filteredOn(other -> other.verdict() == Verdict.GC_BLOCKED)
                .as("pauses are part of nothing that threads held")
                .isNotEmpty()
                .allSatisfy(pauses -> assertThat(pauses.partOf()).isNull());
        assertThat(cause.ownerActivity().getLast().method()).isEqualTo("ExhaustedPool$Connection.query");
        assertThat(advice(diagnosis, worst)).startsWith("Hold the resource for a shorter time");
    }

    @Test
    void collectorUnderLock() throws IOException, UnusableTraceException {
        Diagnosis diagnosis = diagnose("CollectorUnderLock");
        assertThat(mostTime(diagnosis)).isEqualTo(Verdict.GC_BLOCKED);
        assertThat(of(diagnosis, Verdict.GC_BLOCKED))
                .anySatisfy(incident -> assertThat(method(incident)).isEqualTo("CollectorUnderLock.read"));
        List<RootCause> causes = RootCauseFinder.of(diagnosis).causes();
        RootCause first = causes.getFirst();
        assertThat(first.incidents())
                .as(
                        "sleeps that the pauses prolonged, waits for the lock, and the pauses: all due to the calls of System.gc()")
                .hasSizeGreaterThan(30);
        assertThat(first.verdict()).isEqualTo(Verdict.GC_BLOCKED);
        assertThat(first.ownerSite().method()).isEqualTo("CollectorUnderLock.rebuild");
        assertThat(CauseMessages.name(first.waiters())).isEqualTo("all threads");
        assertThat(advice(diagnosis, first.example())).startsWith("Do not call System.gc()");
        assertThat(causes.subList(1, causes.size()))
                .filteredOn(cause -> cause.verdict() == Verdict.GC_BLOCKED)
                .as("a collection for another reason")
                .singleElement()
                .satisfies(cause -> assertThat(CauseMessages.what(cause)).contains("Allocation Failure"));
    }

    @Test
    void sleepingHandler() throws IOException, UnusableTraceException {
        Diagnosis diagnosis = diagnose("SleepingHandler");
        assertThat(mostTime(diagnosis)).isEqualTo(Verdict.SLEPT);
        List<Incident> sleeps = of(diagnosis, Verdict.SLEPT);
        assertThat(sleeps).hasSize(5).allSatisfy(sleep -> {
            assertThat(sleep.rootWait().thread().name()).isEqualTo("AWT-EventQueue-0");
            assertThat(sleep.rootWait().durNs()).isBetween(600_000_000L, 700_000_000L);
            assertThat(method(sleep)).isEqualTo("SleepingHandler.save");
        });
        assertThat(diagnosis.incidents().getFirst().verdict()).isEqualTo(Verdict.SLEPT);
        assertThat(advice(diagnosis, sleeps.getFirst())).startsWith("Do not sleep on a thread");
    }

    @Test
    void busyPool() throws IOException, UnusableTraceException {
        Diagnosis diagnosis = diagnose("BusyPool");
        assertThat(mostTime(diagnosis)).isEqualTo(Verdict.WAITED_FOR_RESULT);
        Incident worst = of(diagnosis, Verdict.WAITED_FOR_RESULT).getFirst();
        assertThat(method(worst)).isEqualTo("BusyPool.request");
        assertThat(worst.owner().thread().name()).isEqualTo("pricing-0");
        assertThat(advice(diagnosis, worst)).startsWith("Make the awaited work faster");
        assertThat(RootCauseFinder.of(diagnosis).causes().getFirst().ownerSite().method())
                .as("what the producer computed, by samples")
                .isEqualTo("BusyPool.computePrice");
    }

    @Test
    void pinnedThreads() throws IOException, UnusableTraceException {
        Diagnosis diagnosis = diagnose("PinnedThreads");
        List<Incident> pinned = of(diagnosis, Verdict.PINNED).stream()
                .filter(incident -> incident.rootWait().kind() == WaitKind.PINNED)
                .toList();
        assertThat(pinned).hasSize(4).allSatisfy(incident -> {
            assertThat(method(incident)).startsWith("PinnedThreads$").endsWith(".<clinit>");
            assertThat(incident.owner().thread().name()).startsWith("ForkJoinPool-1-worker-");
            assertThat(incident.judgement().evidence()).isEqualTo(Evidence.OWNER_NAMED);
        });
        assertThat(of(diagnosis, Verdict.PINNED))
                .filteredOn(incident -> incident.rootWait().kind() == WaitKind.CARRIER)
                .as("threads that were ready after 20 ms, and got no carrier")
                .hasSize(3)
                .allSatisfy(incident -> {
                    assertThat(incident.rootWait().durNs()).isGreaterThan(700_000_000L);
                    assertThat(incident.owner().location().method()).endsWith(".<clinit>");
                    assertThat(incident.judgement().evidence()).isEqualTo(Evidence.TIMING_INFERRED);
                });
        assertThat(of(diagnosis, Verdict.SLEPT))
                .as("the sleeps themselves")
                .hasSize(40)
                .allSatisfy(incident -> assertThat(incident.rootWait().durNs()).isBetween(19_000_000L, 30_000_000L));
        List<RootCause> causes = RootCauseFinder.of(diagnosis).causes();
        assertThat(causes)
                .filteredOn(cause -> cause.verdict() == Verdict.PINNED)
                .as("each class initializer is one to change")
                .hasSize(4)
                .allSatisfy(cause -> {
                    assertThat(cause.waiterSite().method()).endsWith(".<clinit>");
                    assertThat(CauseMessages.name(cause.waiters())).startsWith("virtual thread");
                });
        RootCause first = causes.getFirst();
        assertThat(first.verdict()).isEqualTo(Verdict.PINNED);
        assertThat(first.stacks().getFirst().waiter().frames())
                .as("the stack that pins, not those of threads that waited for a carrier")
                .contains(first.waiterSite());
        assertThat(first.ownerActivity().getFirst().method()).startsWith("java.lang.Thread.sleep");
        assertThat(advice(diagnosis, pinned.getFirst())).startsWith("Do not block inside class initializers");
    }

    /** Flight Recorder records a wait when it ends; the thread dumps have the deadlock. */
    @Test
    void deadlock() throws IOException, UnusableTraceException {
        Diagnosis diagnosis = diagnose("Deadlock");
        assertThat(of(diagnosis, Verdict.DEADLOCK)).hasSize(2).allSatisfy(incident -> {
            assertThat(incident.rootWait().unfinished()).isTrue();
            assertThat(incident.rootWait().durNs()).isBetween(2_000_000_000L, 3_500_000_000L);
            assertThat(incident.rootWait().target()).isEqualTo("Deadlock$Account");
            assertThat(incident.judgement().evidence()).isEqualTo(Evidence.OWNER_NAMED);
        });
        RootCause first = RootCauseFinder.of(diagnosis).causes().getFirst();
        assertThat(first.verdict()).isEqualTo(Verdict.DEADLOCK);
        assertThat(first.waiterSite().method()).isEqualTo("Deadlock.transfer");
        assertThat(first.waiterSite().line()).isEqualTo(21);
        assertThat(first.ownerSite()).isEqualTo(first.waiterSite());
        assertThat(advice(diagnosis, first.example())).startsWith("Acquire these locks in the same order");
    }
}
