package dev.unjank.trace.read.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Trace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AtraceMarkParserTest {
    private final TraceBuilder builder = new TraceBuilder("marks");
    private final AtraceMarkParser parser = new AtraceMarkParser(builder);
    private long now = 100;

    @Test
    void slicesOfAThread() {
        assertThat(parse("B|10|outer|with bars|\n")).isTrue();
        assertThat(parse("B|10|\n")).isTrue();
        assertThat(parse("I|10|mark")).isTrue();
        assertThat(parse("E|10\n\0")).isTrue();
        assertThat(parse("E")).isTrue();

        assertThat(slices()).containsExactly("100+400 outer|with bars|", "200+200 [empty slice name]", "300+0 mark");
    }

    @Test
    void slicesOfAProcess() {
        parse("S|10|launch|5");
        parse("G|10|track|on track|-3");
        parse("F|10|launch|5");
        parse("H|10|track|-3");
        parse("G|10|track|again|4");
        parse("H|10|track|again|4");
        parse("N|10|track|mark");

        assertThat(slices()).containsExactly("100+200 launch", "200+200 on track", "500+100 again", "700+0 mark");
    }

    @Test
    void counters() {
        parse("C|10|heap size (KB)|-5");
        parse("C|10|heap size (KB)|7|group");
        Trace trace = builder.build();
        assertThat(trace.counters().tracks()).isEqualTo(1);
        assertThat(trace.counters().name(0)).isEqualTo("heap size (KB)");
        assertThat(trace.counters().value(0)).isEqualTo(-5);
        assertThat(trace.counters().value(1)).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "hello",
                "B",
                "B|",
                "B|x|name",
                "I|10|",
                "C|10|name|",
                "C|10|name|1x",
                "C|10||1",
                "S|10|name",
                "S|10|name|99999999999999999999",
                "Q|10|name",
                "N|10|track",
                "G|10|track|name",
                "H|10|track",
                "BB|10|name",
                "trace_event_clock_sync: parent_ts=1.2"
            })
    void otherTextIsIgnored(String text) {
        assertThat(parse(text)).isFalse();
        assertThat(builder.build().slices().size()).isZero();
    }

    @Property
    void noTextThrows(
            @ForAll
                    @StringLength(max = 30)
                    @CharRange(from = '0', to = '9')
                    @Chars({'|', '|', '-', 'B', 'E', 'C', 'S', 'F', 'G', 'H', 'N', 'I', '\n'})
                    String text) {
        AtraceMarkParserTest fresh = new AtraceMarkParserTest();
        fresh.parse(text);
        fresh.builder.build();
    }

    private boolean parse(String text) {
        byte[] bytes = ("..." + text + "...").getBytes(StandardCharsets.UTF_8);
        boolean mark = parser.parse(now, 10, bytes, 3, bytes.length - 3);
        now += 100;
        return mark;
    }

    private List<String> slices() {
        Trace trace = builder.build();
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < trace.slices().size(); row++) {
            rows.add(trace.slices().ts(row) + "+" + trace.slices().dur(row) + " "
                    + trace.slices().name(row));
        }
        return rows;
    }
}
