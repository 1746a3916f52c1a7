/** SQL over a trace and over what the doctor found in it. */
@SuppressWarnings("requires-automatic") // DuckDB's driver is no module yet
module dev.unjank.query {
    requires static transitive org.jspecify;
    requires transitive dev.unjank.doctor;
    requires tools.jackson.core;
    requires duckdb.jdbc;
    requires java.sql;

    exports dev.unjank.query;
    exports dev.unjank.query.result;
}
