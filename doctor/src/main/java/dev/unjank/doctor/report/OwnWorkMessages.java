package dev.unjank.doctor.report;

import dev.unjank.doctor.model.CriticalPath;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnWorkFrame;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.text.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The labelled facts of a frame that its program's own work made late. */
public final class OwnWorkMessages {
    private static final int MOST_THREADS = 4;
    private static final int MOST_SLICES = 6;

    private OwnWorkMessages() {}

    /** {@return the facts in the order in which to read them; a field with an empty label continues the one before} */
    public static List<ReportForm.Field> fields(OwnWorkFrame late, Diagnosis diagnosis) {
        List<ReportForm.Field> fields = new ArrayList<>();
        fields.add(new ReportForm.Field(
                Messages.of("label.frame." + diagnosis.platform()),
                Messages.of(
                        "ownWork.frame",
                        DurationFormat.time(late.frame().durNs()),
                        DurationFormat.time(late.frame().startNs() - diagnosis.startNs()),
                        MessageCatalogue.program(late.frame()))));
        fields.addAll(path(late));
        fields.add(new ReportForm.Field(Messages.of("label.nextStep"), Advice.of(late, diagnosis.platform())));
        return fields;
    }

    /** {@return the threads of the critical path with their states, their longest slices and their sampled methods} */
    public static List<ReportForm.Field> path(OwnWorkFrame late) {
        List<CriticalPath.ThreadWork> threads =
                late.path().threads().stream().limit(MOST_THREADS).toList();
        List<ReportForm.Field> fields = new ArrayList<>();
        for (CriticalPath.ThreadWork work : threads) {
            add(
                    fields,
                    Messages.of("label.criticalPath"),
                    Messages.of(
                            "ownWork.thread",
                            name(work.thread(), late),
                            DurationFormat.time(work.durNs()),
                            CauseMessages.share(work.durNs(), late.frame().durNs()),
                            CauseMessages.states(notNegligible(work), work.durNs())));
        }
        List<CriticalPath.ThreadWork> others = late.path()
                .threads()
                .subList(threads.size(), late.path().threads().size());
        if (!others.isEmpty()) {
            long ns = others.stream().mapToLong(CriticalPath.ThreadWork::durNs).sum();
            add(
                    fields,
                    Messages.of("label.criticalPath"),
                    Messages.of("cause.more", others.size(), DurationFormat.time(ns)));
        }
        for (CriticalPath.ThreadWork work : threads) {
            if (!work.slices().isEmpty()) {
                add(fields, Messages.of("label.slices"), slices(work, late));
            }
        }
        fields.addAll(CauseMessages.onCpu(late.samples()));
        return fields;
    }

    /** The states with at least one percent of the time. */
    private static List<Incident.StateDuration> notNegligible(CriticalPath.ThreadWork work) {
        return work.states().stream()
                .filter(time -> time.durNs() * 100 >= work.durNs())
                .toList();
    }

    private static void add(List<ReportForm.Field> fields, String label, String value) {
        boolean isFirst = fields.stream().noneMatch(field -> field.label().equals(label));
        fields.add(new ReportForm.Field(isFirst ? label : "", value));
    }

    /** The thread's name, with its tid if another thread of the path has the same name. */
    private static String name(ThreadRef thread, OwnWorkFrame late) {
        if (!thread.isInTrace()) {
            return Messages.of("ownWork.afterDrawing");
        }
        if (thread.main()) {
            return Messages.of("workload.mainThread");
        }
        String name = ThreadLabels.name(thread);
        long namesakes = late.path().threads().stream()
                .filter(work -> name.equals(ThreadLabels.name(work.thread())))
                .count();
        return namesakes == 1
                ? name
                : Messages.of("ownWork.namesake", ThreadLabels.nameAndProcess(thread), thread.tid());
    }

    private static String slices(CriticalPath.ThreadWork work, OwnWorkFrame late) {
        String longest = work.slices().stream()
                .limit(MOST_SLICES)
                .map(slice -> Messages.of(
                        "ownWork.slice",
                        TerminalText.printableStart(slice.name()),
                        DurationFormat.time(slice.durNs()),
                        DurationFormat.time(slice.ownNs())))
                .collect(Collectors.joining(", "));
        return Messages.of("ownWork.slices", name(work.thread(), late), longest);
    }
}
