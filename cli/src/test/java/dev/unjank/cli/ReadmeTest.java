package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the README shows of the doctor is what the doctor says; a line […] stands for what is left out. */
class ReadmeTest {
    private static final Path ROOT = Path.of(System.getProperty("unjank.root"));
    private static final Pattern SHOWN =
            Pattern.compile("\\n\\$ \\./unjank doctor (\\S+)\\n(.*?)\\n```", Pattern.DOTALL);

    @Test
    void theDoctorSaysWhatIsShown() throws Exception {
        Matcher shown = SHOWN.matcher(Files.readString(ROOT.resolve("README.md")));
        assertThat(shown.find()).isTrue();
        CommandRun run = CommandRun.of("doctor", ROOT.resolve(shown.group(1)).toString());

        assertThat(run.code()).isZero();
        String[] pieces = (shown.group(2) + "\n").split("\\n\\[…]\\n", -1);
        String out = run.out()
                .replace("  unjank query " + ROOT.resolve(shown.group(1)), "  ./unjank query " + shown.group(1));
        assertThat(out).startsWith(pieces[0]).endsWith(pieces[pieces.length - 1]);
        assertThat(out).containsSubsequence(pieces);
    }
}
