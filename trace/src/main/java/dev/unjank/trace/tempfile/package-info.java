/**
 * Temporary files and folders of a process that a later run deletes if the process was killed.
 */
@NullMarked
package dev.unjank.trace.tempfile;

import org.jspecify.annotations.NullMarked;
