package dev.unjank.doctor;

import dev.unjank.doctor.find.coverage.RecorderNotes;
import dev.unjank.doctor.find.coverage.RingBufferNotes;
import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.doctor.find.frame.DrawingThreads;
import dev.unjank.doctor.find.frame.FrameFinder;
import dev.unjank.doctor.find.startup.AppStartupBuilder;
import dev.unjank.doctor.find.thread.JvmThreads;
import dev.unjank.doctor.find.thread.NameSuggestions;
import dev.unjank.doctor.find.thread.PlatformDetector;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.thread.ThreadSelection;
import dev.unjank.doctor.judge.AppStartupBreakdown;
import dev.unjank.doctor.judge.FrameCostCalculator;
import dev.unjank.doctor.judge.FrameCount;
import dev.unjank.doctor.judge.IncidentBuilder;
import dev.unjank.doctor.judge.IncidentCollector;
import dev.unjank.doctor.judge.IncidentSelector;
import dev.unjank.doctor.judge.MainFindingChooser;
import dev.unjank.doctor.judge.OwnWorkFinder;
import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.judge.SummaryBuilder;
import dev.unjank.doctor.model.CpuSamples;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnWorkFrame;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.Warning;
import dev.unjank.doctor.model.cause.RootCauses;
import dev.unjank.doctor.model.loss.EventLosses;
import dev.unjank.trace.convert.ConversionNotes;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.TraceGaps;
import dev.unjank.trace.model.TraceNote;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Diagnoses a trace. Finds the waits of threads that had work, and for each its owner, the owner's states, a verdict
 * and the cost in missed frames.
 */
public final class Doctor {
    private final Trace trace;
    private final DoctorOptions options;
    private final ThreadSelection selection;

    /** The threads that are selected by default. */
    private final ThreadSelection defaultSelection;

    private final DrawingThreads drawing;
    private final ThreadRefFactory refs;
    private final TraceCoverage coverage;
    private final IncidentBuilder incidents;
    private final TraceGaps gaps;
    private final RecorderNotes notes;
    private final CpuSamples samples;

    private Doctor(Trace trace, DoctorOptions options) {
        this.trace = trace;
        this.options = options;
        this.drawing = new DrawingThreads(trace);
        BitSet uiThreads = drawing.beyondMainThreads();
        this.selection = new ThreadSelection(trace, options, uiThreads);
        this.defaultSelection = new ThreadSelection(trace, options.withThread(null), uiThreads);
        this.refs = new ThreadRefFactory(trace);
        this.coverage = new TraceCoverage(trace);
        this.incidents = new IncidentBuilder(trace, refs, coverage, options);
        this.gaps = TraceGaps.in(trace);
        this.notes = new RecorderNotes(trace);
        this.samples = new CpuSamples(trace);
    }

    /**
     * The internal threads of Java virtual machines and of recorders in them, such as compilers and collectors.
     *
     * @param trace the trace
     * @return their rows in {@link Trace#threads}
     */
    public static BitSet jvmThreads(Trace trace) {
        return JvmThreads.of(trace);
    }

    /**
     * Diagnoses a trace.
     *
     * @param trace the trace
     * @param options the selection of threads, processes and durations
     * @return the diagnosis: one incident per wait, and a list of the data that are missing from the trace. Incidents
     *     are ordered by severity (event threads first), then by duration, longest first; if the options name a thread,
     *     by duration only; deadlocks come before all
     */
    public static Diagnosis diagnose(Trace trace, DoctorOptions options) {
        return diagnose(trace, options, ForkJoinPool.commonPool());
    }

    /**
     * Diagnoses a trace with threads of an executor.
     *
     * @param trace the trace
     * @param options the selection of threads, processes and durations
     * @param executor runs parts of the work, besides the calling thread; {@code Runnable::run} diagnoses on the
     *     calling thread only
     * @return the same diagnosis as from {@link #diagnose(Trace, DoctorOptions)}
     */
    public static Diagnosis diagnose(Trace trace, DoctorOptions options, Executor executor) {
        return new Doctor(trace, options).diagnose(executor);
    }

    /**
     * Groups incidents into root causes.
     *
     * @param diagnosis a diagnosis
     * @param incidents incidents of it
     * @return their root causes, the most expensive first
     */
    public static RootCauses rootCauses(Diagnosis diagnosis, List<Incident> incidents) {
        return RootCauseFinder.of(diagnosis, incidents);
    }

    /**
     * Explains why the options select no thread: returns the name of the thread or process that the trace does not
     * contain.
     *
     * @param trace the trace
     * @param options the selection of threads and processes
     * @return the missing name and similar names; null if the options select a thread or contain no name
     */
    public static Warning.@Nullable EmptySelection explainEmptySelection(Trace trace, DoctorOptions options) {
        ThreadSelection selection = new ThreadSelection(trace, options, new DrawingThreads(trace).beyondMainThreads());
        return selection.isDefault() || !selection.utids().isEmpty()
                ? null
                : new NameSuggestions(trace, options).explain();
    }

    /**
     * The process that {@code unjank record} recorded.
     *
     * @param trace the trace
     * @return its pid; -1 if the trace is no recording of one process
     */
    public static int recordedPid(Trace trace) {
        return RecorderNotes.recordedPid(trace);
    }

    /**
     * All frames of a trace, missed or not, of all processes.
     *
     * @param trace the trace
     * @param diagnosis its diagnosis
     * @return the frames of the diagnosis with their ids, then the others, numbered after them
     */
    public static List<Frame> frames(Trace trace, Diagnosis diagnosis) {
        List<Frame> frames = new ArrayList<>(diagnosis.frames());
        Set<Frame> known = new HashSet<>();
        frames.forEach(frame -> known.add(frame.withId(0)));
        for (Frame frame : new FrameFinder(trace, new DrawingThreads(trace)).find()) {
            if (!known.contains(frame.withId(0))) {
                frames.add(frame.withId(frames.size()));
            }
        }
        return frames;
    }

    private Diagnosis diagnose(Executor executor) {
        FrameFinder frameFinder = new FrameFinder(trace, drawing);
        List<Frame> allFrames = frameFinder.find();
        List<Frame> frames = framesOf(allFrames, defaultSelection);
        IncidentCollector collector = new IncidentCollector(
                trace, options, selection, defaultSelection, incidents, frameFinder.renderingProcesses(), executor);
        collector.collect();
        List<Incident> found = collector.shown();
        List<Incident> all = new ArrayList<>(found);
        all.addAll(collector.notShown());
        List<Incident> counting = all.stream().filter(Incident::isInTraceTotals).toList();
        FrameCostCalculator.FrameCosts frameCosts = new FrameCostCalculator().book(frames, all);
        List<Frame> shownFrames = options.isThreadNamed() ? framesOf(allFrames, selection) : frames;
        FrameCostCalculator.FrameCosts shownBooks =
                options.isThreadNamed() ? new FrameCostCalculator().book(shownFrames, all) : frameCosts;
        List<OwnWorkFrame> ownWorkFrames =
                trace.hasScheduling() || PlatformDetector.of(trace).isJvm()
                        ? new OwnWorkFinder(trace, refs, incidents, samples).longest(frameCosts)
                        : List.of();
        BitSet selected = selection.utids();
        BitSet unselected =
                new ThreadSelection(trace, options.withThread(DoctorOptions.ALL_THREADS), selection.drawing()).utids();
        unselected.andNot(selected);
        List<Wait> pauses = incidents.pauses();
        Diagnosis.Search search = new Diagnosis.Search(
                options,
                selected.cardinality(),
                collector.waits(),
                collector.longestNs(),
                shownFrames.size(),
                FrameCount.of(shownFrames, true).all(),
                found.isEmpty() && options.thread() == null ? collector.countOfOtherThreads() : 0,
                incidents.countLockWaits(unselected),
                IncidentSelector.of(trace, options, selection, found, pauses));
        return new Diagnosis(
                trace.name(),
                trace.startNs(),
                trace.endNs() - trace.startNs(),
                trace.isDurationImplausible(),
                PlatformDetector.of(trace),
                search,
                found,
                collector.notShown(),
                MainFindingChooser.choose(
                        options,
                        selected,
                        frameCosts,
                        found,
                        collector.notShown(),
                        trace.endNs() - trace.startNs(),
                        ownWorkFrames),
                shownBooks.frames(),
                shownBooks.costs(),
                ownWorkFrames,
                new AppStartupBreakdown(trace, incidents, coverage)
                        .of(new AppStartupBuilder(trace, refs)
                                .find(allFrames).stream()
                                        .filter(selection::includesProcess)
                                        .toList()),
                new SummaryBuilder(incidents, trace.hasScheduling())
                        .of(counting, frames, withoutProfilers(defaultSelection.utids())),
                collector.blockedTime(coverage, pauses),
                unknowns(allFrames),
                Stream.concat(notes(trace.unreadPartNotes()).stream(), notes.unread().stream())
                        .toList(),
                new EventLosses(trace),
                samples,
                warnings(search, found));
    }

    /** Removes the threads of profilers, whose waits are not the program's. */
    private BitSet withoutProfilers(BitSet utids) {
        BitSet others = new BitSet();
        others.or(utids);
        others.andNot(JvmThreads.profilerThreads(trace));
        return others;
    }

    /** The frames of the selected processes, numbered. */
    private static List<Frame> framesOf(List<Frame> all, ThreadSelection whose) {
        List<Frame> frames = new ArrayList<>();
        for (Frame frame : all) {
            if (whose.includesProcess(frame.upid())) {
                frames.add(frame.withId(frames.size()));
            }
        }
        return frames;
    }

    private List<Warning> unknowns(List<Frame> allFrames) {
        List<Warning> unknowns = new ArrayList<>(notes(gaps.missingData()));
        boolean jvm = IntStream.range(0, trace.processes().size())
                .anyMatch(upid -> trace.processes().isJvm(upid));
        if (allFrames.isEmpty() && !jvm) {
            unknowns.add(new Warning.FramesNotRecorded());
        }
        return unknowns;
    }

    private List<Warning> warnings(Diagnosis.Search search, List<Incident> found) {
        List<Warning> warnings = new ArrayList<>();
        if (search.threads() == 0 && trace.threads().size() > 1) {
            warnings.add(new NameSuggestions(trace, options).explain());
        }
        int ownerless = (int) found.stream()
                .filter(incident -> incident.owner().evidence() == Evidence.UNKNOWN
                        && incident.owner().thread().name() == null)
                .count();
        if (ownerless > 0) {
            int blocked = (int) found.stream()
                    .filter(incident -> incident.owner().evidence() != Evidence.WAITER_EVENTS)
                    .count();
            warnings.add(new Warning.OwnersUnknown(ownerless, blocked));
        }
        warnings.addAll(notes(trace.warningNotes()));
        warnings.addAll(notes.warnings());
        warnings.addAll(notes(ConversionNotes.warnings(trace)));
        warnings.addAll(RingBufferNotes.warnings(trace));
        warnings.addAll(notes(gaps.warnings()));
        if (JvmThreads.hasVirtual(trace)) {
            warnings.add(new Warning.VirtualThreadWaitsMissing());
        }
        return warnings;
    }

    private static List<Warning> notes(List<TraceNote> notes) {
        return notes.stream().<Warning>map(Warning.OfTrace::new).toList();
    }
}
