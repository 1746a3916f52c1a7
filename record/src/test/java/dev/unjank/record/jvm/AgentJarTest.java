package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.record.agent.AgentMain;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarInputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AgentJarTest {
    @Test
    void allClassesOfTheObserverAreInIt() throws IOException, URISyntaxException {
        Path classes =
                Path.of(AgentMain.class.getResource("AgentMain.class").toURI()).getParent();
        try (Stream<Path> files = Files.list(classes)) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .toList();

            assertThat(AgentJar.CLASSES).containsExactlyInAnyOrderElementsOf(names);
        }
    }

    @Test
    void itSaysWhereItBegins() throws IOException {
        try (JarInputStream jar = new JarInputStream(new ByteArrayInputStream(AgentJar.bytes()))) {
            assertThat(jar.getManifest().getMainAttributes().getValue("Agent-Class"))
                    .isEqualTo(AgentMain.class.getName());
            assertThat(jar.getNextJarEntry()).isNotNull();
        }
    }
}
