/** Comparison of answers with those of Perfetto's trace processor. */
@NullMarked
package dev.unjank.query.conformance;

import org.jspecify.annotations.NullMarked;
