package dev.unjank.doctor.report.json;

import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** The layout of a JSON report: one key per line, indented by two spaces, the same on every system. */
final class JsonContext extends ObjectWriteContext.Base {
    private final PrettyPrinter printer = new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"));

    @Override
    public PrettyPrinter getPrettyPrinter() {
        return printer;
    }

    @Override
    public boolean hasPrettyPrinter() {
        return true;
    }
}
