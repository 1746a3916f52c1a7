/**
 * The diagnosis of blocked threads: which thread blocked them, its states meanwhile, and the reason.
 *
 * {@snippet :
 * Trace trace = TraceReader.read(Path.of("app.perfetto-trace"));
 * Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults());
 * System.out.print(TextReport.of(diagnosis, TextReport.Style.plain()));
 * }
 *
 * <h2>From a slice to a verdict</h2>
 *
 * <ol>
 *   <li>An {@linkplain dev.unjank.doctor.model.Incident incident} is a time in which a thread was blocked on a contended lock.
 *       Android's runtime and C library write a slice around each such wait. Waiting for work (a condition, a message, a
 *       timer) leaves no such slice and is never an incident.
 *   <li>The slice's name, or a slice inside it, gives the thread that {@linkplain dev.unjank.doctor.model.Owner owned} the lock; how well that
 *       is known is its {@linkplain dev.unjank.doctor.model.Evidence evidence}.
 *   <li>The scheduler's events show what the owner was doing. This makes a {@linkplain dev.unjank.doctor.model.Wait tree}: the
 *       wait is split, without gaps and overlaps, into {@linkplain dev.unjank.doctor.model.Segment parts} in which its owner ran, was
 *       runnable without a CPU, slept, or waited for a further lock, whose owner is then looked at in the same
 *       way. The leaves add up to the incident, to the nanosecond. Time that the trace does not cover is unknown.
 *   <li>A few rules over the leaves make the {@linkplain dev.unjank.doctor.model.Verdict verdict}.
 * </ol>
 *
 * <h2>Priorities</h2>
 *
 * Priorities are the kernel's own numbers: 100 to 139 are ordinary threads (nice values -20 to 19), below 100 are real-time
 * threads, and a smaller number is more important. The kernel changes them at any time, and a trace shows them whenever a
 * thread is switched or woken; verdicts use the number of each moment.
 *
 * <h2>Limits</h2>
 *
 * A trace does not record which CPUs a thread may use: those on which it was seen to run stand for them. Where a monitor
 * changes hands during a wait and the runtime does not say so (Android before 12), the first owner is taken for all of it.
 *
 * <p>At the end of a wait the lock is free, and the waiter, which has been woken, has to get a CPU itself. That counts as part
 * of the wait and of the tree, but not for the verdict; {@link dev.unjank.doctor.model.Wait#wakeDelayNs} has its length.
 *
 * <p>All results are immutable. {@link dev.unjank.doctor.Doctor#diagnose} may be called from any thread.
 */
@NullMarked
package dev.unjank.doctor;

import org.jspecify.annotations.NullMarked;
