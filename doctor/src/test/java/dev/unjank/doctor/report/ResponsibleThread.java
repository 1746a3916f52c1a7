package dev.unjank.doctor.report;

import dev.unjank.doctor.model.Incident;

/** The line on the responsible thread in the main finding. */
public final class ResponsibleThread {
    private ResponsibleThread() {}

    public static String field(Incident incident) {
        ReportForm.Field field = IncidentFacts.owner(incident);
        return field == null ? "" : field.value();
    }
}
