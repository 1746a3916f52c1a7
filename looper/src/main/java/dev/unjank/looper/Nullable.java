package dev.unjank.looper;

import static java.lang.annotation.ElementType.TYPE_USE;
import static java.lang.annotation.RetentionPolicy.CLASS;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/** Marks a type whose value may be null; the module has no dependency, hence its own. */
@Target(TYPE_USE)
@Retention(CLASS)
@interface Nullable {}
