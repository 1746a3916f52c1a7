package dev.unjank.query.tables;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The ids of the incidents of all threads in SQL. The incidents of a report with default options come first, with the
 * numbers that they have in it; the others follow.
 */
final class IncidentIds {
    private final List<Incident> ofDefaultReport;
    private final List<Incident> inOrder;

    /** The id in SQL, by the id in the diagnosis of all threads. */
    private final int[] ids;

    private IncidentIds(List<Incident> ofDefaultReport, List<Incident> others) {
        this.ofDefaultReport = ofDefaultReport;
        this.inOrder = Stream.concat(ofDefaultReport.stream(), others.stream()).toList();
        this.ids = new int[inOrder.size() + 1];
        for (int i = 0; i < inOrder.size(); i++) {
            ids[inOrder.get(i).id()] = i + 1;
        }
    }

    static IncidentIds of(Diagnosis ofAllThreads) {
        long leastNs = DoctorOptions.defaults().minDuration().toNanos();
        List<Incident> ofDefaultReport = new ArrayList<>();
        List<Incident> others = new ArrayList<>();
        for (Incident incident : ofAllThreads.incidents()) {
            boolean isInReport =
                    incident.isShownByDefault() && incident.rootWait().durNs() >= leastNs;
            (isInReport ? ofDefaultReport : others).add(incident);
        }
        return new IncidentIds(ofDefaultReport, others);
    }

    /** The incidents of a report with default options, in its order. */
    List<Incident> ofDefaultReport() {
        return ofDefaultReport;
    }

    /** All incidents by id, from 1. */
    List<Incident> inOrder() {
        return inOrder;
    }

    int of(Incident incident) {
        return ids[incident.id()];
    }
}
