package dev.unjank.doctor.report.html;

/**
 * Makes text of a trace, which may hold anything, fit to be looked at: without characters that would do something to
 * their surroundings. What was there stays visible: control characters show as the pictures Unicode has for them,
 * marks that turn the direction of writing and other invisible ones by their number.
 *
 * <p>This is about looks and about deceit by looks. That nothing runs is the business of {@link ScriptSafeEscapes} and of the
 * page's policy.
 */
final class SafeText {
    private SafeText() {}

    /**
     * {@return the text as it may be shown}
     *
     * @param text one that does not go on without end: a sentence, or what {@link dev.unjank.doctor.report.MessageCatalogue#cut} has left
     */
    static String of(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> append(c, safe));
        return safe.toString();
    }

    private static void append(int c, StringBuilder safe) {
        if (c < 0x20) {
            safe.append((char) (0x2400 + c)); // U+2400 to U+241F picture U+0000 to U+001F
        } else if (c == 0x7f) {
            safe.append('\u2421');
        } else if (isInvisible(c)) {
            safe.append("[U+")
                    .append(Integer.toHexString(0x10000 | c).substring(1))
                    .append(']');
        } else if (Character.getType(c) == Character.SURROGATE) {
            safe.append('\ufffd');
        } else {
            safe.appendCodePoint(c);
        }
    }

    /** Joiners (U+200C, U+200D) stay: words of several languages, and some pictures, are written with them. */
    private static boolean isInvisible(int c) {
        return switch (c) {
            case 0x061c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0xfeff -> true;
            default -> (c >= 0x80 && c < 0xa0) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f);
        };
    }
}
