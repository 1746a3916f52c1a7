/**
 * Protobuf wire format, and the field numbers of Perfetto's messages. Used by {@code read.perfetto} and {@code
 * write}.
 */
@NullMarked
package dev.unjank.trace.proto;

import org.jspecify.annotations.NullMarked;
