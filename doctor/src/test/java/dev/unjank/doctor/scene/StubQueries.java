package dev.unjank.doctor.scene;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.ReportQueries;
import dev.unjank.doctor.model.Verdict;

/** Stands for the SQL of module query, which is above this one and has the tests of the SQL. */
public record StubQueries(String command) implements ReportQueries {
    public static final StubQueries OF_TRACE = new StubQueries("unjank query TRACE");

    @Override
    public String incidents(Diagnosis diagnosis) {
        return "SELECT " + diagnosis.incidents().size() + " incidents";
    }

    @Override
    public String evidence(Verdict verdict, Platform platform) {
        return "SELECT " + verdict + " on " + platform + " of tid = {responsible}, {waiter} at {from}, {to}";
    }

    @Override
    public String names(String table) {
        return "SELECT names of " + table;
    }
}
