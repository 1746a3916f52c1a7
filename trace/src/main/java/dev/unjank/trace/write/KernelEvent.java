package dev.unjank.trace.write;

import dev.unjank.trace.proto.FtraceFields.BinderTransaction;
import dev.unjank.trace.proto.FtraceFields.CpuFrequency;
import dev.unjank.trace.proto.FtraceFields.FtraceEvent;
import dev.unjank.trace.proto.FtraceFields.SchedProcessExec;
import dev.unjank.trace.proto.ProtoWriter;
import java.io.IOException;

/** A kernel event for which {@link FtraceCpuWriter} has no method: binder, CPU frequency. Immutable. */
public final class KernelEvent {
    private final int field;
    private final byte[] content;

    private KernelEvent(int field, ProtoWriter content) {
        this.field = field;
        this.content = content.toByteArray();
    }

    /**
     * {@return a binder transaction or a reply}
     *
     * @param number the kernel's number of the transaction; a reply has its own
     * @param reply whether it is a reply
     * @param oneWay whether no reply is expected
     */
    public static KernelEvent binderTransaction(int number, boolean reply, boolean oneWay) {
        ProtoWriter body = new ProtoWriter();
        body.varint(BinderTransaction.DEBUG_ID, number);
        body.varint(BinderTransaction.REPLY, reply ? 1 : 0);
        body.varint(BinderTransaction.FLAGS, oneWay ? BinderTransaction.ONE_WAY : 0);
        return new KernelEvent(FtraceEvent.BINDER_TRANSACTION, body);
    }

    /**
     * {@return the receipt of a binder transaction or of a reply}
     *
     * @param number the number of the transaction
     */
    public static KernelEvent binderReceived(int number) {
        ProtoWriter body = new ProtoWriter();
        body.varint(BinderTransaction.DEBUG_ID, number);
        return new KernelEvent(FtraceEvent.BINDER_TRANSACTION_RECEIVED, body);
    }

    /**
     * {@return a change of a CPU's frequency}
     *
     * @param cpu the CPU
     * @param kilohertz the new frequency in kHz
     */
    public static KernelEvent cpuFrequency(int cpu, int kilohertz) {
        ProtoWriter body = new ProtoWriter();
        body.varint(CpuFrequency.STATE, kilohertz);
        body.varint(CpuFrequency.CPU_ID, cpu);
        return new KernelEvent(FtraceEvent.CPU_FREQUENCY, body);
    }

    /**
     * {@return the execution of another program by a process, after which it has the name of that program}
     *
     * @param pid the process
     * @param file the file of the program
     */
    public static KernelEvent processExec(int pid, String file) {
        ProtoWriter body = new ProtoWriter();
        body.string(SchedProcessExec.FILENAME, file);
        body.varint(SchedProcessExec.PID, pid);
        return new KernelEvent(FtraceEvent.SCHED_PROCESS_EXEC, body);
    }

    /**
     * Writes the event.
     *
     * @param cpu the CPU on which it happens
     * @param ts the time in ns
     * @param tid the thread that runs on that CPU
     * @throws IOException if the stream fails
     */
    public void writeTo(FtraceCpuWriter cpu, long ts, int tid) throws IOException {
        cpu.event(ts, tid, field, content);
    }
}
