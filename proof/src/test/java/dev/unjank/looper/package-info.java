/**
 * Proofs of the message loop, claim by claim. A proof that cannot fail is worthless, so each has a seeded fault that it
 * must find; a test fails if the queue breaks a claim, and if the fault goes unnoticed.
 *
 * <p><b>Model checking</b> ({@link dev.unjank.looper.LinearizabilityTest}, Lincheck) tries the interleavings of small
 * scenarios one after another, the same ones each time, and compares the results with {@link
 * dev.unjank.looper.SequentialSpecification}. The looper is the only consumer. It assumes sequential consistency.
 *
 * <table>
 *   <caption>Linearizability: {@link dev.unjank.looper.QueueClaim}</caption>
 *   <tr><th>claim<th>threads<th>seeded bug that is found ({@link dev.unjank.looper.SeededBugQueue.Fault})
 *   <tr><td>a message is run once or removed once<td>take, remove<td>TAKES_WITHOUT_WINNING
 *   <tr><td>no sent message is lost<td>send, send<td>PUSHES_WITHOUT_COMPARING
 *   <tr><td>a preempted sender hides nothing that was sent before<td>send, take<td>SWAPS_BEFORE_LINKING
 *   <tr><td>quit refuses or drops<td>send, quit<td>LOOKS_FOR_QUIT_BEFORE_PUSHING
 *   <tr><td>quit cuts off all at once<td>take, quit<td>RUNS_ON_AFTER_QUIT
 *   <tr><td>a safe quit runs what is due at the call<td>take with an older time, quit<td>ENDS_TOO_EARLY
 *   <tr><td>no wake-up is lost<td>sleep, send or quit<td>LOOKS_BEFORE_PARKING
 *   <tr><td>a thread that sends one message and then removes another finds the first in its place<td>take, send and remove
 *       <td>FORGETS_WHO_DIED_ON_THE_WAY, FORGETS_WHO_DIED_IN_ITS_PLACE, TAKES_THE_NEXT_IT_KNOWS
 *   <tr><td>an overtaking message is next when its sending has ended, though the looper knows others<td>take, send
 *       <td>TAKES_WHAT_IS_AT_HAND, DOES_NOT_LOOK_AGAIN
 *   <tr><td>a message sent while the looper unlinks is not unlinked<td>sleep, send<td>POPS_WITHOUT_COMPARING
 *   <tr><td>a message or a barrier is removed once<td>remove, remove<td>REMOVES_WITHOUT_WINNING
 *   <tr><td>removing a barrier wakes the looper<td>sleep, remove<td>FORGETS_A_FALLEN_BARRIER
 *   <tr><td>an asynchronous message passes a barrier, and wakes the looper behind it<td>sleep, send<td>HOLDS_UP_EVERYTHING
 *   <tr><td>a message due earlier in the same millisecond wakes it, too<td>sleep, send<td>SLEEPS_BY_WHOLE_MILLISECONDS
 *   <tr><td>no wake-up depends on another thread<td>send, send<td>ENDS_THE_SLEEP_BEFORE_WAKING
 *   <tr><td>settled messages are found by key<td>sleep, has or remove<td>SETTLES_BEFORE_INDEXING
 *   <tr><td>a search sees staying messages, beside unlinking<td>take, has<td>CUTS_WHAT_IT_UNLINKS
 *   <tr><td>all of it<td>random scenarios ({@link dev.unjank.looper.DeliveryModel}, {@link
 *       dev.unjank.looper.SearchModel})<td>see above
 *   <tr><td><i>not</i> claimed: searching is linearizable beside overtaking messages<td>take, send and has
 *       <td>the queue itself
 *   <tr><td><i>not</i> claimed: searching for any of several messages is linearizable beside replacement<td>isIdle, send and
 *       take<td>the queue itself
 *   <tr><td><i>not</i> claimed: counting is linearizable beside replacement<td>depth, send and take<td>the queue itself
 *   <tr><td><i>not</i> claimed: removing many is one step<td>remove all, send and take<td>the queue itself
 * </table>
 *
 * <p><b>Memory order</b> ({@link dev.unjank.looper.MemoryOrderTest}, jcstress) runs two threads against each other
 * millions of times on the real machine, with the real compilers, and sorts the outcomes.
 *
 * <table>
 *   <caption>Forbidden outcomes</caption>
 *   <tr><th>claim<th>proof<th>seeded bug that is seen
 *   <tr><td>the stack publishes all writes of the sender<td>{@link dev.unjank.looper.PublicationThroughStack}
 *       <td>written after sending
 *   <tr><td>no earlier message is hidden<td>{@link dev.unjank.looper.SendAgainstDrain}<td>SWAPS_BEFORE_LINKING
 *   <tr><td>no sent message is lost<td>{@link dev.unjank.looper.SendAgainstSend}<td>PUSHES_WITHOUT_COMPARING
 *   <tr><td>taken or removed<td>{@link dev.unjank.looper.TakeAgainstRemove}<td>TAKES_WITHOUT_WINNING
 *   <tr><td>quit refuses or drops, and frees the payload<td>{@link dev.unjank.looper.QuitAgainstSend}
 *       <td>LOOKS_FOR_QUIT_BEFORE_PUSHING
 *   <tr><td>the waker is freed once, and not used afterwards<td>{@link dev.unjank.looper.WakeAgainstRelease}
 *       <td>a sender checks whether it is open, and then enters; a leaving thread checks after leaving whether it was the last
 *   <tr><td>no wake-up is lost<td>{@link dev.unjank.looper.ParkAgainstSend}
 *       <td>LOOKS_BEFORE_PARKING; PARKS_BY_RELEASE, a true reordering
 *   <tr><td>a search sees staying messages<td>{@link dev.unjank.looper.TraversalAgainstUnlinking}
 *       <td>CUTS_WHAT_IT_UNLINKS, UNLINKS_THE_LIVING
 *   <tr><td>a sent message is not unlinked with dead ones<td>{@link dev.unjank.looper.PopAgainstSend}
 *       <td>POPS_WITHOUT_COMPARING
 *   <tr><td>settled messages are found by key<td>{@link dev.unjank.looper.SearchAgainstSettling}
 *       <td>SETTLES_BEFORE_INDEXING
 *   <tr><td>indexed messages are found while others are entered<td>{@link dev.unjank.looper.SearchAgainstIndexGrowth}
 *       <td>a bucket is published, and then filled
 *   <tr><td>a message found in the index is found again<td>{@link dev.unjank.looper.SlotAgainstSearch}
 *       <td>the slot is read plainly where it takes an acquire
 *   <tr><td>an overtaking message is next<td>{@link dev.unjank.looper.OvertakingAgainstTake}
 *       <td>TAKES_WHAT_IS_AT_HAND, DOES_NOT_LOOK_AGAIN
 *   <tr><td>removing a barrier wakes the looper<td>{@link dev.unjank.looper.BarrierAgainstPark}
 *       <td>FORGETS_A_FALLEN_BARRIER
 *   <tr><td>a bounded number of messages wakes a sleeping looper<td>{@link dev.unjank.looper.DepthAgainstSend}
 *       <td>COUNTS_FROM_A_STALE_TOP
 *   <tr><td>and a bounded number of removals<td>{@link dev.unjank.looper.RemovalAgainstRemoval}
 *       <td>a count that is read and then written
 * </table>
 *
 * <p>On x86 only a store followed by a load of another location is reordered. So the weaker access modes of the queue
 * are proved there only as far as the compilers reorder. (The seeded faults are wrong orders, except for two wrong
 * modes: PARKS_BY_RELEASE, which the processor shows, and the plain read of a slot, which the compilers show.) On a
 * processor that reorders more, the same tests prove more.
 *
 * <p>{@code ./mvnw verify -pl proof -am} takes about a minute for the memory order, two for the model checking, and
 * half a minute for stopping a poster at every instruction. {@code -Plong} runs the long forms as well, which are
 * limited to some 34 minutes more on two idle processors: 20 for the memory order (37 tests, each in 34 virtual
 * machines for a tenth of a second), 12 for the model checking (54 scenarios of 1,000 interleavings, 180 random ones of
 * 300, 30 questions of 100). This is an estimate from the times of the short forms.
 */
package dev.unjank.looper;
