/**
 * The measured queues, this project's and others (JDK, Netty, JCTools, Agrona, Android), behind one interface.
 *
 * <p>{@link dev.unjank.workbench.bench.peer.Peer} lists them.
 */
@NullMarked
package dev.unjank.workbench.bench.peer;

import org.jspecify.annotations.NullMarked;
