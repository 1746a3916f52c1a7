/**
 * The threads of a trace: their names, priorities and origin (app, Android, kernel, JVM), and the selection of threads
 * by the options.
 */
@NullMarked
package dev.unjank.doctor.find.thread;

import org.jspecify.annotations.NullMarked;
