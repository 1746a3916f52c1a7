package dev.unjank.workbench.bench.comparison;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A measured implementation: an enum constant, so that another JVM finds it by name. */
public interface Candidate {
    String name();

    /** The column header. */
    String label();

    /** A description of a few words. */
    String description();

    /** Additional JVM options. */
    default List<String> options() {
        return List.of();
    }

    /** The reason why it cannot be measured on this machine or by this user; null if it can. */
    default @Nullable String obstacle() {
        return null;
    }
}
