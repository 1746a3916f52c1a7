/**
 * Reading recordings of the JDK's Flight Recorder, of the JDK itself and of async-profiler.
 *
 * <p>A recording is a sequence of chunks, each readable alone: a {@link dev.unjank.trace.read.jfr.format.ChunkHeader}, then events,
 * each with its length in front. Two kinds of events are not for people: the metadata, which says what fields every other
 * kind has ({@link dev.unjank.trace.read.jfr.format.ChunkMetadata}), and checkpoints, which hold the threads, classes, methods and stacks
 * that events refer to by number ({@link dev.unjank.trace.read.jfr.format.ConstantPools}). Both may come after the events that
 * need them, so a chunk is walked twice: {@link dev.unjank.trace.read.jfr.format.ChunkScanner} finds out what is where, and then
 * {@link dev.unjank.trace.read.jfr.JfrReader}, the way in, goes from event to event.
 *
 * <p>Nothing is known of the events' layout beforehand: a {@link dev.unjank.trace.read.jfr.format.FieldReader} looks up the fields
 * that are wanted in the chunk's own metadata, so files of old and new JDKs, and of programs that merely write the format, are
 * read alike. {@link dev.unjank.trace.read.jfr.ThreadEventImporter} and {@link dev.unjank.trace.read.jfr.VmEventImporter} say what
 * becomes of which event; {@link dev.unjank.trace.read.jfr.JvmRun} keeps it until all is known.
 */
@NullMarked
package dev.unjank.trace.read.jfr;

import org.jspecify.annotations.NullMarked;
