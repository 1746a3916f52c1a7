package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.cli.terminal.UserError;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparkMasterTest {

    @ParameterizedTest
    @ValueSource(strings = {"local", "local[4]", "local[*]", "local[2,3]", "local-cluster[2,1,1024]"})
    void thisMachineNeedsNoInstallation(String url) {
        assertThat(SparkMaster.of(url).isLocal()).isTrue();
        assertThat(SparkMaster.of(url).isSupportedByOurJars()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"yarn", "k8s://https://10.0.0.1:6443"})
    void othersNeedOne(String url) {
        assertThat(SparkMaster.of(url).isSupportedByOurJars()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "local[]", "local[x]", "locale", "spark://head", "spark:/head:7077", "yarn-client", "k8s://"
            })
    void whatSparkWouldNotKnowIsAMistake(String url) {
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> SparkMaster.of(url))
                .withMessageContaining("not '" + url + "'");
    }

    @Test
    void aMasterThatIsNotThereIsReportedBeforeSparkStarts() throws Exception {
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        int port;
        try (ServerSocket head = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = head.getLocalPort();
            SparkMaster there = SparkMaster.of("spark://" + host + ":" + port);
            assertThat(there.isSupportedByOurJars()).isTrue();
            assertThatCode(there::requireReachable).doesNotThrowAnyException();
        }
        SparkMaster gone = SparkMaster.of("spark://" + host + ":" + port);

        assertThatExceptionOfType(UserError.class)
                .isThrownBy(gone::requireReachable)
                .withMessageStartingWith("spark://" + host + ":" + port + ": no Spark master reachable");
    }
}
