/**
 * The Java agent that is loaded into the target JVM. It samples which threads wait for which lock, and takes the stacks
 * of the owners. Its classes are copied into a jar ({@code record.jvm.AgentJar}) and use nothing else of the recorder;
 * {@code AgentMain} is the entry point, {@code AgentProtocol} is shared with the recorder.
 */
@NullMarked
package dev.unjank.record.agent;

import org.jspecify.annotations.NullMarked;
