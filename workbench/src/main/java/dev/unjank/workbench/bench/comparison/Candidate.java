package dev.unjank.workbench.bench.comparison;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who is measured: a constant of an enum, so that another Java VM knows it by its name. */
public interface Candidate {

    /**
     * The name of the constant.
     *
     * @return as {@link Enum#name} has it
     */
    String name();

    /**
     * How people call it in the head of a column.
     *
     * @return a short name
     */
    String label();

    /**
     * What it is.
     *
     * @return a few words
     */
    String description();

    /**
     * Returns the options of its Java VM, besides those of all.
     *
     * @return options of the JVM, none by default
     */
    default List<String> options() {
        return List.of();
    }

    /**
     * Why it cannot be measured on this machine, or by this user.
     *
     * @return the reason, null if it can be
     */
    default @Nullable String obstacle() {
        return null;
    }
}
