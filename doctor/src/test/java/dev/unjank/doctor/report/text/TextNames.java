package dev.unjank.doctor.report.text;

import dev.unjank.trace.text.TerminalText;

/** Writes a name as the text report does, for tests of all names in other packages. */
public final class TextNames {
    private TextNames() {}

    public static void write(String name) {
        for (int width : new int[] {1, 7, 80}) {
            TextPage page = new TextPage(new TextReport.Style(width, true, true, 5, true));
            page.wrapped("  ", TerminalText.printableStart(name));
            page.fit(name, width);
            page.fitAround(name, width);
        }
    }

    public static void quote(String name) {
        TraceSections.inShell(name);
    }
}
