package dev.unjank.record.kernel;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The layout of a page of the kernel's ring buffer, from {@code events/header_page}. */
record PageLayout(int commitOffset, int dataOffset, int dataSize) {
    private static final Pattern FIELD =
            Pattern.compile("field:\\s*[\\w ]+\\b(\\w+);\\s*offset:(\\d+);\\s*size:(\\d+);");

    /** Parses {@code header_page}. */
    static PageLayout parse(String text) throws IOException {
        int commit = -1;
        int data = -1;
        int size = -1;
        Matcher field = FIELD.matcher(text);
        while (field.find()) {
            int offset = Integer.parseInt(field.group(2));
            switch (field.group(1)) {
                case "commit" -> commit = offset;
                case "data" -> {
                    data = offset;
                    size = Integer.parseInt(field.group(3));
                }
                default -> {}
            }
        }
        if (commit < 0 || data <= commit || size <= 0) {
            throw new IOException("unknown format of the kernel's ring buffer pages");
        }
        return new PageLayout(commit, data, size);
    }

    int pageSize() {
        return dataOffset + dataSize;
    }
}
