package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.WaitKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/guide/query.md} says which values the doctor's columns have: a query that compares with another finds
 * nothing.
 */
class QueryDocColumnsTest {
    @Test
    void everyValueStandsThere() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("unjank.root", ".."), "docs", "guide", "query.md"))
                .replaceAll("\\s+", " ");
        assertThat(page)
                .contains("- `kind`: " + values(WaitKind.values()) + " ")
                .contains("- `evidence`: " + values(Evidence.values()) + " ")
                .contains("- `state` of `unjank_blame`: " + values(OwnerState.values()) + " ")
                .contains("- `source` of `unjank_frame`: " + values(Frame.Source.values()) + " ")
                .contains("- `cause` of `unjank_startup`: " + values(AppStartup.Cause.values()) + " ");
    }

    private static String values(Enum<?>[] all) {
        return Arrays.stream(all)
                .map(value -> '`' + value.name().toLowerCase(Locale.ROOT) + '`')
                .collect(Collectors.joining(", "));
    }
}
