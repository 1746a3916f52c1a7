package dev.unjank.fleet;

import dev.unjank.query.Rows;

/**
 * A column of a table.
 *
 * @param name as the statement names it; no two of a table differ only by case
 * @param type of its values
 */
public record Column(String name, Rows.Type type) {
    Rows.Column forEngine() {
        return new Rows.Column(name, type);
    }

    static Column text(String name) {
        return new Column(name, Rows.Type.TEXT);
    }

    static Column number(String name) {
        return new Column(name, Rows.Type.INTEGER);
    }
}
