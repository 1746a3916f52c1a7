package dev.unjank.workbench.bench.comparison;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A contestant: a constant of an enum, so that another Java VM finds it by its name. */
public interface Candidate {
    String name();

    /** Its name in the head of a column. */
    String label();

    /** A description of a few words. */
    String description();

    /** Options of its Java VM, besides those of all. */
    default List<String> options() {
        return List.of();
    }

    /** Why it cannot be measured on this machine, or by this user; null if it can be. */
    default @Nullable String obstacle() {
        return null;
    }
}
