/**
 * Labels of traces (device, OS build, app, version), from the trace itself or from a CSV or JSON file. Used by the
 * packages {@code task} and {@code run}.
 */
@NullMarked
package dev.unjank.fleet.label;

import org.jspecify.annotations.NullMarked;
