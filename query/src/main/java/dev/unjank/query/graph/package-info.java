/** Algorithms on graphs that SQL cannot express, called by the engine as functions of strings of numbers. */
@NullMarked
package dev.unjank.query.graph;

import org.jspecify.annotations.NullMarked;
