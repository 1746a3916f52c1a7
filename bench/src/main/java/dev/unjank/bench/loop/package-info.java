/**
 * Who is measured: one thread that runs what others post, by this project and by its peers, behind one interface.
 * {@link dev.unjank.bench.loop.Peer} lists them.
 */
@NullMarked
package dev.unjank.bench.loop;

import org.jspecify.annotations.NullMarked;
