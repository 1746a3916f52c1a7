package dev.unjank.doctor.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every text of the page is legible on what it stands on, and every edge seen: WCAG 2.2, level AA, computed from the
 * style sheet.
 */
class PageContrastTest {
    private static final double TEXT = 4.5;
    private static final double SHAPE = 3;
    private static final List<String> GROUNDS = List.of("bg", "panel", "hover");
    private static final Pattern COLOUR = Pattern.compile("--([\\w-]+): (#[0-9a-f]{6})");

    /** The colours of the light scheme, with those of the dark one in their place if that is asked for. */
    private static Map<String, String> palette(boolean dark) throws IOException {
        try (InputStream in = HtmlReport.class.getResourceAsStream("page.css")) {
            String sheet = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            int begin = sheet.indexOf("@media (prefers-color-scheme: dark)");
            int end = sheet.indexOf("\n}", begin);
            Map<String, String> palette = new HashMap<>();
            List<String> parts = dark
                    ? List.of(sheet.substring(0, begin), sheet.substring(begin, end))
                    : List.of(sheet.substring(0, begin));
            parts.forEach(
                    part -> COLOUR.matcher(part).results().forEach(one -> palette.put(one.group(1), one.group(2))));
            return palette;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everythingIsLegible(boolean dark) throws IOException {
        Map<String, String> palette = palette(dark);
        List<String> tooFaint = new ArrayList<>();
        for (String ground : GROUNDS) {
            for (String name : List.of("text", "dim")) {
                check(palette, name, ground, TEXT, tooFaint);
            }
        }
        for (String name : palette.keySet()) {
            if (name.startsWith("verdict-")) {
                check(palette, "on-badge", name, TEXT, tooFaint);
                GROUNDS.forEach(ground -> check(palette, name, ground, TEXT, tooFaint));
                check(palette, name, "unknown", SHAPE, tooFaint); // in a lane
            } else if (name.startsWith("on-") && !name.equals("on-badge")) {
                check(palette, name, name.substring("on-".length()), TEXT, tooFaint);
            }
        }
        check(palette, "deadline", "panel", TEXT, tooFaint);
        for (String ground : List.of("bg", "panel")) {
            for (String name : List.of("accent", "edge", "blocked")) {
                check(palette, name, ground, SHAPE, tooFaint);
            }
        }
        assertThat(palette).hasSizeGreaterThan(40);
        assertThat(tooFaint).isEmpty();
    }

    private static void check(
            Map<String, String> palette, String name, String ground, double least, List<String> tooFaint) {
        double contrast = contrast(palette.get(name), palette.get(ground));
        if (contrast < least) {
            tooFaint.add("%s on %s: %.2f, not %.1f".formatted(name, ground, contrast, least));
        }
    }

    private static double contrast(String one, String other) {
        double a = luminance(one);
        double b = luminance(other);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }

    /** Relative luminance as WCAG defines it. */
    private static double luminance(String colour) {
        int rgb = Integer.parseInt(colour.substring(1), 16);
        return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8) + 0.0722 * linear(rgb);
    }

    private static double linear(int channel) {
        double share = (channel & 0xff) / 255.0;
        return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }
}
