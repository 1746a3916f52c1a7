/**
 * Imports recordings of the JDK Flight Recorder and of async-profiler: which JFR event becomes which slice, counter
 * or sample. The bytes of the format are in {@code read.jfr.format}.
 *
 * <p>A recording is a sequence of chunks, each self-contained: a {@link
 * dev.unjank.trace.read.jfr.format.ChunkHeader}, then events, each with its length in front. Two kinds of events
 * describe the others: the metadata, with the fields of every type ({@link
 * dev.unjank.trace.read.jfr.format.ChunkMetadata}), and checkpoints, with the threads, classes, methods and stacks
 * that events refer to ({@link dev.unjank.trace.read.jfr.format.ConstantPools}). Both may come after the events that
 * need them, so a chunk is read twice: {@link dev.unjank.trace.read.jfr.format.ChunkScanner} finds its parts, and
 * then {@link dev.unjank.trace.read.jfr.JfrReader}, the entry, reads event by event.
 *
 * <p>No layout of an event is hard-coded: a {@link dev.unjank.trace.read.jfr.format.FieldReader} looks up fields in
 * the chunk's metadata, so recordings of old and new JDKs, and of other writers, are read alike. {@link
 * dev.unjank.trace.read.jfr.ThreadEventImporter} and {@link dev.unjank.trace.read.jfr.VmEventImporter} bind the types
 * of events; {@link dev.unjank.trace.read.jfr.JvmRun} collects the results until all chunks are read.
 */
@NullMarked
package dev.unjank.trace.read.jfr;

import org.jspecify.annotations.NullMarked;
