package dev.unjank.doctor.report.html;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.CharacterEscapes;

/**
 * Escapes that keep JSON inside a {@code <script>} element whatever its texts hold. The parser of HTML ends such an element at
 * {@code </script} and reads {@code <!--} specially, and knows neither of JSON's strings nor of its escapes: so no {@code <}
 * is ever written. {@code >} and {@code &} go the same way, for readers that take the page for XML.
 */
@SuppressWarnings("serial") // of a base class that is serializable; escapes are never serialized
final class ScriptSafeEscapes extends CharacterEscapes {
    private static final int[] ESCAPES = escapes();

    private static int[] escapes() {
        int[] escapes = standardAsciiEscapesForJSON();
        for (char c : new char[] {'<', '>', '&'}) {
            escapes[c] = ESCAPE_STANDARD;
        }
        return escapes;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
        return Arrays.copyOf(ESCAPES, ESCAPES.length);
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int c) {
        return null;
    }
}
