package dev.unjank.bench.queue;

import dev.unjank.bench.loop.Peer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** What runs in a {@link Vm}: for each line with a circumstance it measures once and answers with a line of figures. */
final class VmMain {

    private VmMain() {}

    /**
     * Ends with its standard input.
     *
     * @param args the name of the question, the name of the peer
     */
    public static void main(String[] args) throws Exception {
        try {
            Question.Subject subject = Questions.named(args[0]).open(Peer.valueOf(args[1]));
            BufferedReader circumstances =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
            for (String line; (line = circumstances.readLine()) != null; ) {
                System.out.println(Arrays.stream(subject.measure(line))
                        .mapToObj(String::valueOf)
                        .collect(Collectors.joining(" ")));
            }
        } finally {
            Runtime.getRuntime().halt(0); // whatever threads a peer has left
        }
    }
}
