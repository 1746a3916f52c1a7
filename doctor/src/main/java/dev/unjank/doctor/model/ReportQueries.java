package dev.unjank.doctor.model;

/** The SQL that reports show to their readers. Module query implements it. */
public interface ReportQueries {
    /**
     * {@return the start of a command line that queries the trace in SQL, quoted for a shell: {@code unjank query
     * TRACE}}
     */
    String command();

    /**
     * {@return a query for the incidents of a diagnosis, in the same order}
     *
     * @param diagnosis the diagnosis
     */
    String incidents(Diagnosis diagnosis);

    /**
     * {@return a query for the evidence of a verdict, with placeholders for numbers: {@code {waiter}} and {@code
     * {responsible}} for tids, {@code {from}} and {@code {to}} for times}
     *
     * @param verdict the verdict
     * @param platform the kind of system that the trace was recorded on
     */
    String evidence(Verdict verdict, Platform platform);

    /**
     * {@return a query for all names in a table}
     *
     * @param table {@code thread} or {@code process}
     */
    String names(String table);

    /**
     * {@return a query for the evidence of an incident's verdict}
     *
     * @param incident the incident
     * @param platform the kind of system that the trace was recorded on
     */
    default String evidence(Incident incident, Platform platform) {
        Wait wait = incident.rootWait();
        int responsible = incident.judgement().responsibleThread().tid();
        return evidence(incident.verdict(), platform)
                .replace("{responsible}", Integer.toString(responsible))
                .replace("{waiter}", Integer.toString(wait.thread().tid()))
                .replace("{from}", Long.toString(wait.startNs()))
                .replace("{to}", Long.toString(wait.endNs()));
    }
}
