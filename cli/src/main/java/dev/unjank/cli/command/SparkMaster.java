package dev.unjank.cli.command;

import dev.unjank.cli.terminal.UserError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.regex.Pattern;

/** The master URL of a Spark cluster. */
public final class SparkMaster {
    private static final Pattern LOCAL = Pattern.compile("local(\\[([0-9]+|[*])(,[0-9]+)?])?");
    private static final Pattern LOCAL_CLUSTER = Pattern.compile("local-cluster\\[[0-9]+,[0-9]+,[0-9]+]");
    private static final Pattern STANDALONE = Pattern.compile("spark://[^/,:]+:[0-9]{1,5}(,[^/,:]+:[0-9]{1,5})*");
    private static final Pattern ELSEWHERE = Pattern.compile("yarn|k8s://.+");

    /** Spark itself would retry for a minute. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final String url;

    private SparkMaster(String url) {
        this.url = url;
    }

    /** Parses a URL. */
    public static SparkMaster of(String url) {
        SparkMaster master = new SparkMaster(url);
        if (!master.isSupportedByOurJars() && !ELSEWHERE.matcher(url).matches()) {
            throw new UserError(
                    "--master must be local[*], local[N], spark://HOST:PORT, yarn or k8s://URL, not '" + url + "'");
        }
        return master;
    }

    /** Whether it is this machine. */
    boolean isLocal() {
        return LOCAL.matcher(url).matches() || LOCAL_CLUSTER.matcher(url).matches();
    }

    /** Whether the Spark jars that the build downloads support it; YARN and Kubernetes need an installation. */
    boolean isSupportedByOurJars() {
        return isLocal() || STANDALONE.matcher(url).matches();
    }

    /** Fails if it is a standalone cluster and none of its masters accepts a connection. */
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
                        Math.toIntExact(CONNECT_TIMEOUT.toMillis()));
                return;
            } catch (IOException | IllegalArgumentException e) {
                why = e instanceof UnknownHostException ? "unknown host" : String.valueOf(e.getMessage());
            }
        }
        throw new UserError(url + ": no Spark master reachable (" + why + ")");
    }

    @Override
    public String toString() {
        return url;
    }
}
