/**
 * Protobuf's wire primitives and the field numbers of the Perfetto messages that this module reads and writes. Not exported: it
 * knows bytes, not meaning.
 */
@NullMarked
package dev.unjank.trace.proto;

import org.jspecify.annotations.NullMarked;
