package dev.unjank.cli.command;

import picocli.CommandLine.IVersionProvider;

/** The version of this build, with the JDK and the system that it runs on. */
final class BuildVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = BuildVersion.class.getPackage().getImplementationVersion();
        return new String[] {
            "unjank %s (JDK %s, %s %s)"
                    .formatted(
                            version == null ? "development build" : version,
                            Runtime.version(),
                            System.getProperty("os.name"),
                            System.getProperty("os.arch"))
        };
    }
}
