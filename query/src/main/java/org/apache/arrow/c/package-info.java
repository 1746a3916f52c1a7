/** One class that DuckDB's JDBC driver looks up by name. */
package org.apache.arrow.c;
