package dev.unjank.doctor.scene;

import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Judgement;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.report.MessageCatalogue;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * The content of an incident as a table to compare with an expected one: the waiter and its target, each owner
 * with its evidence and states, the preempting threads, the verdict, and the leaves of the tree by time. Times in ms;
 * a thread is its tid, its name and its priority.
 */
public final class IncidentDump {
    private final StringJoiner lines = new StringJoiner("\n", "", "\n");

    private IncidentDump() {}

    public static String of(Incident incident) {
        IncidentDump table = new IncidentDump();
        Wait wait = incident.rootWait();
        table.line("blocked", who(wait.thread()) + (wait.thread().main() ? " main" : ""));
        table.line("wait", wait.kind() + " " + ms(wait.durNs()) + at(wait.location()) + " waiters " + wait.waiters());
        for (OwnerInterval ownerInterval : wait.otherOwnersIntervals()) {
            Owner owner = ownerInterval.owner();
            table.line("owner", who(owner.thread()) + " " + owner.evidence() + at(owner.location()));
        }
        for (Incident.StateDuration time : incident.ownerStates()) {
            table.line("did", time.state() + " " + ms(time.durNs()));
        }
        for (PreemptingThread preempting : incident.preemptingThreads()) {
            table.line("instead", who(preempting.thread()) + " " + ms(preempting.ranNs()));
        }
        Judgement judgement = incident.judgement();
        table.line(
                "verdict",
                MessageCatalogue.verdict(judgement) + " " + ms(judgement.decisiveNs()) + " " + judgement.evidence()
                        + ", blames " + judgement.responsibleThread().tid());
        table.tree(wait, "");
        return table.lines.toString();
    }

    private void tree(Wait wait, String indent) {
        for (OwnerInterval ownerInterval : wait.ownerIntervals()) {
            for (Segment part : ownerInterval.segments()) {
                Wait further = part.nextWait();
                String state = further == null ? part.state().name() : "waits for " + further.kind();
                String detail = part.detail() == null ? "" : ", " + part.detail();
                line("tree", indent + who(part.thread()) + " " + state + " " + ms(part.durNs()) + detail);
                if (further != null) {
                    tree(further, indent + "  ");
                }
            }
        }
    }

    private void line(String heading, String text) {
        lines.add(String.format(Locale.ROOT, "%-8s%s", heading, text));
    }

    private static String who(ThreadRef thread) {
        String priority = !thread.hasPriority() ? "?" : Integer.toString(thread.priority());
        String lent = thread.hasInherited() ? " (lent " + thread.inheritedPriority() + ")" : "";
        return thread.tid() + " " + thread.name() + " " + priority + lent;
    }

    private static String at(CodeLocation site) {
        return site == null ? "" : " " + site.method() + " " + site.source();
    }

    private static String ms(long ns) {
        return String.format(Locale.ROOT, "%.3f", ns / 1e6);
    }
}
