package dev.unjank.fleet.task;

import dev.unjank.query.result.Rows;

/** A column of a table, named as in the statement. Column names of a table never differ only by case. */
public record ResultColumn(String name, Rows.Type type) {
    public Rows.Column forEngine() {
        return new Rows.Column(name, type);
    }

    public static ResultColumn text(String name) {
        return new ResultColumn(name, Rows.Type.TEXT);
    }

    public static ResultColumn number(String name) {
        return new ResultColumn(name, Rows.Type.INTEGER);
    }
}
