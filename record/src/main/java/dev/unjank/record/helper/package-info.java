/**
 * The helper process: it accesses the target's file system and sockets as the target's user, so that a root recorder
 * never follows a path or connects to a socket that the target controls.
 *
 * <pre>
 *  recorder (root) ── requests ─▶ helper (the target's user) ── attach protocol, files, observer ─▶ target
 *       ▲                              │
 *       └────────── replies ───────────┘   frames over two pipes, {@link dev.unjank.record.helper.HelperProtocol}
 * </pre>
 *
 * <p>{@link dev.unjank.record.helper.HelperProcess} is the recorder's side, {@link dev.unjank.record.helper.HelperMain}
 * the program. The helper can do nothing that the target's user could not do anyway: it has the target's user, groups
 * and at most its capabilities, checks who listens at a socket before it sends, and loads nothing from the target's
 * file system.
 */
@NullMarked
package dev.unjank.record.helper;

import org.jspecify.annotations.NullMarked;
