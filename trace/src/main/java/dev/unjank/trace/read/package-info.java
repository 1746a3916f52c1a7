/**
 * Reading trace files: {@link dev.unjank.trace.read.TraceReader} is the way in. {@link dev.unjank.trace.read.TraceFileReader} finds out
 * what a file is and takes it out of what it is packed in; an importer for each format ({@link
 * dev.unjank.trace.read.perfetto.PerfettoReader}, {@link dev.unjank.trace.read.systrace.SystraceReader}, {@link
 * dev.unjank.trace.read.jfr.JfrReader}) feeds a {@link dev.unjank.trace.build.TraceBuilder}; {@link dev.unjank.trace.read.TraceMerger} puts the
 * traces of several files on one clock.
 */
@NullMarked
package dev.unjank.trace.read;

import org.jspecify.annotations.NullMarked;
