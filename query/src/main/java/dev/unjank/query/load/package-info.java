/**
 * Tables on their way into DuckDB: columns in native memory, handed over as an Arrow C stream.
 */
@NullMarked
package dev.unjank.query.load;

import org.jspecify.annotations.NullMarked;
