package dev.unjank.doctor.scene;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPInputStream;

/** The data of an HTML report. */
public final class PageJson {
    private static final String BEGIN = "<script type=\"application/gzip\" id=\"data\">";

    private PageJson() {}

    /** {@return the JSON that a page has in it} */
    public static String of(String html) {
        int from = html.indexOf(BEGIN) + BEGIN.length();
        byte[] packed = Base64.getDecoder().decode(html.substring(from, html.indexOf("</script>", from)));
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
