package dev.unjank.cli.command;

import dev.unjank.cli.terminal.UserError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.regex.Pattern;

/** Where Spark is to run, as it names it. */
public final class SparkMaster {
    private static final Pattern LOCAL = Pattern.compile("local(\\[([0-9]+|[*])(,[0-9]+)?])?");
    private static final Pattern LOCAL_CLUSTER = Pattern.compile("local-cluster\\[[0-9]+,[0-9]+,[0-9]+]");
    private static final Pattern STANDALONE = Pattern.compile("spark://[^/,:]+:[0-9]{1,5}(,[^/,:]+:[0-9]{1,5})*");
    private static final Pattern ELSEWHERE = Pattern.compile("yarn|k8s://.+");

    /** Spark itself tries for a minute, and says much meanwhile. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final String url;

    private SparkMaster(String url) {
        this.url = url;
    }

    /** Reads what somebody wrote. */
    public static SparkMaster of(String url) {
        SparkMaster master = new SparkMaster(url);
        if (!master.isWithinOurJars() && !ELSEWHERE.matcher(url).matches()) {
            throw new UserError(
                    "--master must be local[*], local[N], spark://HOST:PORT, yarn or k8s://URL, not '" + url + "'");
        }
        return master;
    }

    /** Whether it is this machine. */
    boolean isLocal() {
        return LOCAL.matcher(url).matches() || LOCAL_CLUSTER.matcher(url).matches();
    }

    /** Whether the jars that the build fetches know the way there. */
    boolean isWithinOurJars() {
        return isLocal() || STANDALONE.matcher(url).matches();
    }

    /** Fails if a standalone cluster is named and nobody is there. */
    void requireReachable() {
        if (!STANDALONE.matcher(url).matches()) {
            return;
        }
        String why = "";
        for (String head : url.substring("spark://".length()).split(",", -1)) {
            int colon = head.lastIndexOf(':');
            try (Socket socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(head.substring(0, colon), Integer.parseInt(head.substring(colon + 1))),
                        Math.toIntExact(PATIENCE.toMillis()));
                return;
            } catch (IOException | IllegalArgumentException e) {
                why = e instanceof UnknownHostException ? "unknown host" : String.valueOf(e.getMessage());
            }
        }
        throw new UserError(url + ": no master of Spark answers there (" + why + ")");
    }

    @Override
    public String toString() {
        return url;
    }
}
