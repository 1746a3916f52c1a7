/**
 * Which threads a trace has: their names, priorities and origin (app, Android, kernel, JVM), and which of them the options
 * select.
 */
@NullMarked
package dev.unjank.doctor.find.thread;

import org.jspecify.annotations.NullMarked;
