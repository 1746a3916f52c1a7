package dev.unjank.workbench.lab.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The side of a program that is experimented on: it rests until a line on its standard input asks for something, and answers
 * with a line of figures. A request is a text and a number, {@code frames 5.0}; an answer is {@code done} and the figures,
 * {@code name=value}, or {@code failed} and why.
 */
public final class RequestServer {
    /** How an answer begins that holds figures. */
    public static final String DONE = "done";

    /** The first word of an answer that reports a failure. */
    public static final String FAILED = "failed";

    @FunctionalInterface
    public interface Performer {
        /** Does it; the program goes on if that fails. */
        Map<String, Double> perform(String what, double amount) throws Exception;
    }

    private RequestServer() {}

    /** Answers requests until there are no more, and ends the process then, whatever threads are left. */
    public static void serve(Performer performer) throws IOException {
        try {
            BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
            for (String request; (request = requests.readLine()) != null; ) {
                System.out.println(answer(performer, request));
                System.out.flush();
            }
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    private static String answer(Performer performer, String request) {
        int number = request.lastIndexOf(' ');
        try {
            return performer
                    .perform(request.substring(0, number), Double.parseDouble(request.substring(number + 1)))
                    .entrySet()
                    .stream()
                    .map(figure -> figure.getKey() + "=" + figure.getValue())
                    .collect(Collectors.joining(" ", DONE + " ", ""));
        } catch (Exception | LinkageError e) {
            return FAILED + " " + String.valueOf(e).replace('\n', ' ');
        }
    }
}
