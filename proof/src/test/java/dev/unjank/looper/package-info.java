/**
 * What proves the message loop, claim by claim. A proof that cannot fail is worth nothing, so beside each stands a fault
 * which it must find; a test fails if the queue breaks its promise, and if the fault goes unnoticed.
 *
 * <p><b>Model checking</b> ({@link dev.unjank.looper.LinearizabilityTest}, Lincheck) tries the interleavings of small
 * scenarios one after another, the same ones each time, and holds what came of it against {@link
 * dev.unjank.looper.SequentialQueue}. The looper is the one consumer. It assumes sequential consistency.
 *
 * <table>
 *   <caption>Linearizability: {@link dev.unjank.looper.Claim}</caption>
 *   <tr><th>claim<th>threads<th>seeded bug that is found ({@link dev.unjank.looper.BareQueue.Fault})
 *   <tr><td>a message is run once or removed once<td>take, remove<td>TAKES_WITHOUT_WINNING
 *   <tr><td>nothing sent is lost<td>send, send<td>PUSHES_WITHOUT_COMPARING
 *   <tr><td>a preempted sender hides nothing that was sent before<td>send, take<td>SWAPS_BEFORE_LINKING
 *   <tr><td>quit refuses or drops<td>send, quit<td>LOOKS_FOR_QUIT_BEFORE_PUSHING
 *   <tr><td>quit cuts off all at once<td>take, quit<td>RUNS_ON_AFTER_QUIT
 *   <tr><td>a safe quit runs what is due at the call<td>take with an older time, quit<td>ENDS_TOO_EARLY
 *   <tr><td>no wake-up is lost<td>sleep, send or quit<td>LOOKS_BEFORE_PARKING
 *   <tr><td>who sends one message and then removes another finds the first in its place<td>take, send and remove
 *       <td>TRUSTS_A_STALE_VIEW
 *   <tr><td>whoever asks sees what stays, beside unlinking<td>take, has<td>CUTS_WHAT_IT_UNLINKS
 *   <tr><td>all of it<td>scenarios at random ({@link dev.unjank.looper.OrderModel}, {@link
 *       dev.unjank.looper.AskModel})<td>see above
 *   <tr><td><i>not</i> claimed: asking is linearizable beside messages that overtake<td>take, send and has
 *       <td>the queue itself
 *   <tr><td><i>not</i> claimed: asking for any of several messages is linearizable beside replacement<td>isIdle, send and
 *       take<td>the queue itself
 * </table>
 *
 * <p><b>Memory order</b> ({@link dev.unjank.looper.MemoryOrderTest}, jcstress) runs two threads against each other
 * millions of times on the real machine, with the real compilers, and sorts the outcomes.
 *
 * <table>
 *   <caption>Forbidden outcomes</caption>
 *   <tr><th>claim<th>proof<th>seeded bug that is seen
 *   <tr><td>the stack publishes all that the sender wrote<td>{@link dev.unjank.looper.PublicationThroughStack}
 *       <td>written after sending
 *   <tr><td>nothing sent before is hidden<td>{@link dev.unjank.looper.SendAgainstDrain}<td>SWAPS_BEFORE_LINKING
 *   <tr><td>nothing sent is lost<td>{@link dev.unjank.looper.SendAgainstSend}<td>PUSHES_WITHOUT_COMPARING
 *   <tr><td>taken or removed<td>{@link dev.unjank.looper.TakeAgainstRemove}<td>TAKES_WITHOUT_WINNING
 *   <tr><td>quit refuses or drops, and frees the payload<td>{@link dev.unjank.looper.QuitAgainstSend}
 *       <td>LOOKS_FOR_QUIT_BEFORE_PUSHING
 *   <tr><td>the waker is freed once, and not used afterwards<td>{@link dev.unjank.looper.WakeAgainstRelease}
 *       <td>a sender looks whether it is open, and then goes in
 *   <tr><td>no wake-up is lost<td>{@link dev.unjank.looper.ParkAgainstSend}
 *       <td>LOOKS_BEFORE_PARKING; PARKS_BY_RELEASE, a true reordering
 *   <tr><td>whoever asks sees what stays<td>{@link dev.unjank.looper.TraversalAgainstUnlinking}
 *       <td>CUTS_WHAT_IT_UNLINKS
 * </table>
 *
 * <p>On x86 only a store followed by a load of something else changes places, so the weaker access modes of the queue
 * are proved there only as far as the compilers go; on a processor that reorders more, the same tests prove more.
 *
 * <p>{@code ./mvnw verify -pl proof -am} runs this in about a minute, {@code -Plong} also the long forms, in about a quarter of an hour.
 */
package dev.unjank.looper;
