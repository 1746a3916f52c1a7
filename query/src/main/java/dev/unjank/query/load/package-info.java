/** Tables on their way into DuckDB: columns in native memory, passed as an Arrow C stream. */
@NullMarked
package dev.unjank.query.load;

import org.jspecify.annotations.NullMarked;
