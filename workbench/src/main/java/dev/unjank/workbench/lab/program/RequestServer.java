package dev.unjank.workbench.lab.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The server in the program under experiment: reads requests from standard input and replies with one line of figures
 * each. A request is a name and a number, such as {@code frames 5.0}; a reply is {@code done} and the figures, {@code
 * name=value}, or {@code failed} and the reason.
 */
public final class RequestServer {
    /** The first word of a successful reply. */
    public static final String DONE = "done";

    /** The first word of a reply that reports a failure. */
    public static final String FAILED = "failed";

    @FunctionalInterface
    public interface Performer {
        /** Performs a request; the program continues if it fails. */
        Map<String, Double> perform(String what, double amount) throws Exception;
    }

    private RequestServer() {}

    /** Serves requests until the input ends, then ends the process even if threads are still running. */
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
