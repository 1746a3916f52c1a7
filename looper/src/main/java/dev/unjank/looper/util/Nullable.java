package dev.unjank.looper.util;

import static java.lang.annotation.ElementType.TYPE_USE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/**
 * Marks a type whose value may be null; the module has no dependency, hence its own. Where it is missing, null is refused
 * with a {@link NullPointerException} that names the argument: a test reads this annotation and tries each.
 */
@Target(TYPE_USE)
@Retention(RUNTIME)
public @interface Nullable {}
