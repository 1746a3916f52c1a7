/**
 * The diagnosis of blocked threads: which thread blocked them, its states meanwhile, and the reason.
 *
 * {@snippet :
 * Trace trace = TraceReader.read(Path.of("app.perfetto-trace"));
 * Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults());
 * System.out.print(TextReport.of(diagnosis, TextReport.Style.plain()));
 * }
 *
 * <h2>From a wait to a verdict</h2>
 *
 * <ol>
 *   <li>An {@linkplain dev.unjank.doctor.model.Incident incident} is one wait of a selected thread that had work: for a
 *       lock, a binder reply, a pause of its process, a CPU, I/O, or another {@linkplain
 *       dev.unjank.doctor.model.WaitKind kind} of resource. A thread that waits for its next work is idle; that is no
 *       incident.
 *   <li>The {@linkplain dev.unjank.doctor.model.Owner owner} is the thread that blocks the waiter: it has the lock or
 *       serves the call. The {@linkplain dev.unjank.doctor.model.Evidence evidence} is a grade: how surely the owner is
 *       known.
 *   <li>The scheduler's events show what the owner was doing. This makes a {@linkplain dev.unjank.doctor.model.Wait
 *       tree}: the wait is split, without gaps and overlaps, into {@linkplain dev.unjank.doctor.model.Segment
 *       segments}. In a segment the owner was running, was runnable without a CPU, slept, or waited itself. Such a
 *       further wait is split in the same way. The leaves add up to the incident, to the nanosecond. Time that the
 *       trace does not cover is unknown.
 *   <li>A few rules over the leaves make the {@linkplain dev.unjank.doctor.model.Verdict verdict}.
 * </ol>
 *
 * <h2>Priorities</h2>
 *
 * Priorities are the kernel's own numbers: 100 to 139 are ordinary threads (nice values -20 to 19), below 100 are
 * real-time threads, and a smaller number is more important. The kernel changes them at any time, and a trace shows
 * them whenever a thread is switched or woken; verdicts use the number of each moment.
 *
 * <h2>Limits</h2>
 *
 * A trace does not record which CPUs a thread may use. The doctor assumes the CPUs on which the thread ran. If a
 * monitor changes hands during a wait and the runtime does not record that (Android before 12), the first owner counts
 * for the whole wait.
 *
 * <p>At the end of a wait the lock is free, and the waiter, which has been woken, has to get a CPU itself. That counts
 * as part of the wait and of the tree, but not for the verdict; {@link dev.unjank.doctor.model.Wait#wakeDelayNs} has
 * its length.
 *
 * <p>All results are immutable. {@link dev.unjank.doctor.Doctor#diagnose} may be called from any thread.
 */
@NullMarked
package dev.unjank.doctor;

import org.jspecify.annotations.NullMarked;
