package dev.unjank.looper.util;

import static java.lang.annotation.ElementType.TYPE_USE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/**
 * Marks a type that permits null. The module has no dependency, so it declares its own. A parameter without it
 * rejects null with a {@link NullPointerException} that names the argument; a test reads this annotation and tries
 * each.
 */
@Target(TYPE_USE)
@Retention(RUNTIME)
public @interface Nullable {}
