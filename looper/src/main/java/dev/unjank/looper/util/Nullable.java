package dev.unjank.looper.util;

import static java.lang.annotation.ElementType.TYPE_USE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/**
 * Marks a type that permits null. The module has no dependency, so it declares its own. A parameter without this
 * annotation rejects null with a {@link NullPointerException} that names the argument; a test checks this for every
 * parameter.
 */
@Target(TYPE_USE)
@Retention(RUNTIME)
public @interface Nullable {}
