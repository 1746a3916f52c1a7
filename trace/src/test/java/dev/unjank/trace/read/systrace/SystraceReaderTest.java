package dev.unjank.trace.read.systrace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.read.TraceRowText;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Systrace text, plain, in HTML pages, and as written by atrace. */
public class SystraceReaderTest {
    @TempDir
    private Path dir;

    private Trace read(byte[] bytes) throws IOException {
        Trace trace = TraceReader.read(Files.write(dir.resolve("trace"), bytes));
        TraceInvariants.check(trace);
        return trace;
    }

    private Trace read(String text) throws IOException {
        return read(text.getBytes(UTF_8));
    }

    private static byte[] example() throws IOException {
        return SystraceFromPerfetto.of(LauncherExample.scene().toBytes(WireFormat.PLAIN));
    }

    @Test
    void textAndPacketsOfASceneAreEqual() throws IOException {
        Trace text = read(example());
        Trace packets = read(LauncherExample.scene().toBytes(WireFormat.PLAIN));

        assertThat(text.warnings()).isEmpty();
        assertThat(text.hasScheduling()).isTrue();
        // A process has its main thread's name; text contains no other, and no frames.
        assertThat(rowsOfThreads(text)).isEqualTo(rowsOfThreads(packets));
    }

    private static List<String> rowsOfThreads(Trace trace) {
        return TraceRowText.rows(trace).stream()
                .filter(row -> row.startsWith("cpu") || row.matches("thread \\d+ \\d+\\+.*"))
                .toList();
    }

    @Test
    void everyContainerGivesTheSame() throws IOException {
        byte[] text = example();
        List<String> rows = TraceRowText.rows(read(text));
        byte[] zlib = deflate(text);

        assertThat(TraceRowText.rows(read(join("TRACE:\n", text)))).isEqualTo(rows);
        assertThat(TraceRowText.rows(read(join("TRACE:\n", zlib)))).isEqualTo(rows);
        assertThat(TraceRowText.rows(read(join("capturing trace... done\nTRACE:\r\n", zlib))))
                .isEqualTo(rows);
        assertThat(TraceRowText.rows(read(gzip(text)))).isEqualTo(rows);
        assertThat(TraceRowText.rows(read(page("<script class=\"trace-data\" type=\"application/text\">\n", text))))
                .isEqualTo(rows);
        assertThat(TraceRowText.rows(read(page("<SCRIPT id='viewer-data'>", base64(gzip(text))))))
                .isEqualTo(rows);
        assertThat(TraceRowText.rows(read(page("<script class='trace-data'>\n", base64(zlib)))))
                .isEqualTo(rows);
        byte[] string = new String(text, UTF_8)
                .replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n\\\n")
                .getBytes(UTF_8);
        assertThat(TraceRowText.rows(read(page("<script>\n  var linuxPerfData = \"\\\n", join("", string, "\";\n")))))
                .isEqualTo(rows);
    }

    @Test
    void aLineIsTakenApart() throws IOException {
        Trace trace = read("""
                # tracer: nop
                 ndroid.systemui-1358  ( 1350) [001] ...1 683202.104223: tracing_mark_write: B|1350|a|b: c
                 ndroid.systemui-1358  ( 1350) [001] ...1 683202.104323: tracing_mark_write: E
                 a [x] (y)-7-1359 (-----) [002] d.h3   12.000001: sched_waking: comm=odd name pid=1358 prio=110 target_cpu=001
                  <idle>-0     (-----) [001] d..3 683202.104523: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a =b c next_pid=1358 next_prio=98
                  a =b c-1358  ( 1350) [001] d..3 683202.104623: sched_switch: prev_comm=a =b c prev_pid=1358 prev_prio=98 prev_state=D|K ==> next_comm=swapper/1 next_pid=0 next_prio=120
                  <idle>-0     (-----) [001] dn.4 683202.104723123: sched_blocked_reason: pid=1358 iowait=1 caller=folio_wait+0x18/0x24
                  <idle>-0     (-----) [001] dn.4 683202.104723123: sched_waking: comm=a =b c pid=1358 prio=98 target_cpu=001
                """);
        int utid = trace.threads().find(1358, trace.endNs());
        assertThat(trace.threads().name(utid)).isEqualTo("a =b c");
        assertThat(trace.processes().pid(trace.threads().upid(utid))).isEqualTo(1350);
        assertThat(trace.slices().name(trace.slices().first(utid))).isEqualTo("a|b: c");
        assertThat(trace.slices().dur(trace.slices().first(utid))).isEqualTo(100_000);
        int asleep = trace.threadStates().at(utid, 683_202_104_700_000L);
        assertThat(trace.threadStates().state(asleep)).isEqualTo(SchedState.KILLABLE);
        assertThat(trace.threadStates().blockedFunction(asleep)).isEqualTo("folio_wait");
        assertThat(trace.threadStates().ioWait(asleep)).isTrue();
        assertThat(trace.endNs()).isEqualTo(683_202_104_723_123L);
    }

    @Test
    void threadsCreatedRenamedAndEndedAreKnown() throws IOException {
        Trace trace = read("""
                # tracer: nop
                 app-10  (   10) [000] ...1 1.000000: task_newtask: pid=11 comm=app clone_flags=3d0f00 oom_score_adj=0
                 app-10  (   10) [000] ...1 1.000010: task_rename: pid=11 oldcomm=app newcomm=a worker oom_score_adj=0
                 app-10  (   10) [000] ...1 1.000020: binder_transaction: transaction=5 dest_node=1 dest_proc=20 dest_thread=0 reply=0 flags=0x10 code=0x3
                 svc-20  (   20) [001] ...1 1.000030: binder_transaction_received: transaction=5
                 svc-20  (   20) [001] ...1 1.000040: binder_transaction: transaction=6 dest_node=0 dest_proc=10 dest_thread=10 reply=1 flags=0x0 code=0x0
                 app-10  (   10) [000] ...1 1.000050: binder_transaction_received: transaction=6
                 app-10  (   10) [000] ...1 1.000060: mali_whatever: x=1
                 CPU:2 [LOST 17 EVENTS]
                """);
        int worker = trace.threads().find(11, 1_000_030_000L);
        assertThat(trace.threads().name(worker)).isEqualTo("a worker");
        assertThat(trace.threads().upid(worker))
                .isEqualTo(trace.threads().upid(trace.threads().find(10, 1_000_030_000L)));
        assertThat(trace.slices().name(0)).isEqualTo("binder transaction");
        assertThat(trace.slices().dur(0)).isEqualTo(30_000);
        assertThat(trace.flows().size()).isPositive();
        assertThat(trace.skipped().ftraceEvents()).isEqualTo(1);
        assertThat(trace.warnings()).singleElement().asString().contains("17 events were lost");
    }

    @Test
    void aProcessHasTheNameOfTheProgramThatItExecutes() throws IOException {
        Trace trace = read("""
                # tracer: nop
                 sh-10  (   10) [000] ...1 1.000000: task_rename: pid=10 oldcomm=sh newcomm=my tool oom_score_adj=0
                 my tool-10  (   10) [000] ...1 1.000010: sched_process_exec: filename=/system/bin/my tool pid=10 old_pid=10
                """);
        assertThat(trace.processes().name(trace.threads().upid(trace.threads().find(10, trace.endNs()))))
                .isEqualTo("my tool");
    }

    @Test
    void callsOfFutexAreSlices() throws IOException {
        Trace trace = read("""
                # tracer: nop
                 app-10  (   10) [000] ...1 1.000000: sys_enter: NR 98 (7b5c0010, 80, 2, 0, 0, 0)
                 app-10  (   10) [000] ...1 1.000100: sys_exit: NR 98 = -110
                 app-10  (   10) [000] ...1 1.000200: sys_enter: NR 202 (1, 2, 3, 4, 5, 6)
                 app-10  (   10) [000] ...1 1.000300: sys_exit: NR 98 = 0
                 app-10  (   10) [000] ...1 1.000400: sys_enter: NR 422 (7b5c0010, 81, 1, 0, 0, 0)
                """);
        assertThat(trace.slices().size()).isEqualTo(2);
        assertThat(trace.slices().name(0)).isEqualTo("sys_futex");
        assertThat(trace.slices().dur(0)).isEqualTo(100_000);
        assertThat(trace.args().number(0, "uaddr", 0)).isEqualTo(0x7b5c0010);
        assertThat(trace.args().number(0, "op", 0)).isEqualTo(0x80);
        assertThat(trace.args().number(0, "ret", 0)).isEqualTo(-110);
        assertThat(trace.args().number(1, "op", 0)).isEqualTo(0x81);
        assertThat(trace.slices().isOpen(1)).isTrue();
    }

    @Test
    void aListingNamesProcesses() throws IOException {
        Trace trace = read("""
                <!DOCTYPE html><html><body><script class="trace-data" type="application/text">
                PROCESS DUMP
                USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME
                root             1     0   10000   1000 SyS_epoll_wait      0 S init
                u0_a7          100     1 1000000  90000 SyS_epoll_wait      0 S com.example.app
                USER           PID   TID CMD
                u0_a7          100   101 RenderThread
                </script><script class="trace-data">
                # tracer: nop
                  main-100 (  100) [000] ...1 5.000000: tracing_mark_write: B|100|x
                </script></body></html>
                """);
        int utid = trace.threads().find(101, trace.endNs());
        assertThat(trace.threads().name(utid)).isEqualTo("RenderThread");
        assertThat(trace.processes().name(trace.threads().upid(utid))).isEqualTo("com.example.app");
        assertThat(trace.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "R,RUNNABLE",
        "R+,RUNNABLE_PREEMPTED",
        "S,SLEEPING",
        "D,UNINTERRUPTIBLE",
        "D|K,KILLABLE",
        "D|N,IDLE",
        "I,IDLE",
        "x,DEAD",
        "Z,ZOMBIE",
        "T,STOPPED",
        "t,TRACED",
        "P,PARKED",
        "?,UNKNOWN"
    })
    void statesHaveLetters(String letters, SchedState state) {
        assertThat(SystraceReader.state(letters)).isEqualTo(state);
    }

    @Test
    void textWithoutEventsIsRefused() throws IOException {
        for (String text : List.of(
                "# tracer: nop\n#\n",
                "TRACE:\n",
                "<html><script class='trace-data'>\n</script></html>",
                "once upon a time")) {
            assertThatThrownBy(() -> read(text))
                    .as(text)
                    .isInstanceOf(UnusableTraceException.class)
                    .message()
                    .hasLineCount(1);
        }
    }

    private Trace readWithNameOf(int length) throws IOException {
        String begin = " a-1 (1) [000] ...1 5.000000: tracing_mark_write: B|1|";
        String end = " a-1 (1) [000] ...1 6.000000: tracing_mark_write: E\n";
        String name = "x".repeat(length - begin.length());
        return read("# tracer: nop\n" + begin + name + "\n" + end + end + begin + name + "\n" + end);
    }

    @Test
    void aLineOfAnyLengthDoesNoHarm() throws IOException {
        Trace trace = readWithNameOf(3 << 20);
        assertThat(trace.slices().size()).isEqualTo(2);
        assertThat(trace.slices().dur(0)).isEqualTo(1_000_000_000);
        assertThat(trace.slices().name(0)).matches("x{1000000,1048576}");
        assertThat(trace.warnings())
                .containsExactly("2 lines of more than 1 MiB were truncated; the first is line 2 of the text");
    }

    @Test
    void aLineOfAMebibyteIsReadWhole() throws IOException {
        Trace whole = readWithNameOf((1 << 20) - 1);
        assertThat(whole.warnings()).isEmpty();
        assertThat(whole.slices().name(0)).matches("x{1000000,1048576}");
        assertThat(readWithNameOf(1 << 20).warnings()).hasSize(1);
    }

    @Test
    void damageIsHeldOff() throws IOException {
        byte[] text = example();
        byte[] page = page("<script class='trace-data'>\n", base64(deflate(text)));
        byte[] ctrace = ctrace(text);
        Random random = new Random(5);
        for (byte[] good : List.of(text, page, ctrace)) {
            for (int i = 0; i < 120; i++) {
                byte[] bytes = i % 3 == 0 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
                for (int flips = random.nextInt(6); flips > 0 && bytes.length > 0; flips--) {
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                }
                try {
                    read(bytes);
                } catch (UnusableTraceException e) {
                    assertThat(e).message().hasLineCount(1);
                }
            }
        }
    }

    /** As compressed by atrace. */
    public static byte[] ctrace(byte[] text) throws IOException {
        return join("TRACE:\n", deflate(text));
    }

    public static byte[] page(String tag, byte[] content) {
        return join("<!DOCTYPE html>\n<html><body>" + tag, content, "</script>\n<!-- END TRACE --></body></html>");
    }

    private static byte[] join(String before, byte[] bytes) {
        return join(before, bytes, "");
    }

    private static byte[] join(String before, byte[] bytes, String after) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(before.getBytes(UTF_8));
        all.writeBytes(bytes);
        all.writeBytes(after.getBytes(UTF_8));
        return all.toByteArray();
    }

    private static byte[] base64(byte[] bytes) {
        return Base64.getMimeEncoder().encode(bytes);
    }

    private static byte[] deflate(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
            deflater.write(bytes);
        }
        return out.toByteArray();
    }

    public static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }
}
