/** One class under a foreign name, by which DuckDB's driver finds it. */
package org.apache.arrow.c;
