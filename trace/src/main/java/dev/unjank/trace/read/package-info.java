/**
 * Reading trace files: {@link dev.unjank.trace.read.TraceReader} is the way in. {@link dev.unjank.trace.read.FileImport} finds out
 * what a file is and takes it out of what it is packed in; an importer for each format ({@link
 * dev.unjank.trace.read.PerfettoImport}, {@link dev.unjank.trace.read.SystraceImport}, {@link
 * dev.unjank.trace.read.jfr.JfrImport}) feeds a {@link dev.unjank.trace.TraceBuilder}; {@link dev.unjank.trace.read.Merge} puts the
 * traces of several files on one clock.
 */
@NullMarked
package dev.unjank.trace.read;

import org.jspecify.annotations.NullMarked;
