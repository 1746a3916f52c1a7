package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Machine;
import dev.unjank.trace.proto.PacketFields.PackageInfo;
import dev.unjank.trace.proto.PacketFields.PackagesList;
import dev.unjank.trace.proto.PacketFields.SystemInfo;
import dev.unjank.trace.proto.PacketFields.Utsname;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.read.common.SkippedRecords;
import dev.unjank.trace.read.common.UnreadableRecords;

/** Imports the description of the machine: its kernel and build, and the installed packages. */
final class MachineImporter {
    /** The limit of packages, for damaged traces. */
    private static final int MAX_PACKAGES = 1 << 16;

    private static final int MAX_TEXT = 4096;
    private static final int GIGABYTE = 1_000_000_000;

    private final TraceBuilder builder;
    private final SkippedRecords skipped;
    private final ProtoReader message = new ProtoReader();
    private final ProtoReader part = new ProtoReader();
    private int packages;

    MachineImporter(TraceBuilder builder, SkippedRecords skipped) {
        this.builder = builder;
        this.skipped = skipped;
    }

    /** Imports the system info in a packet's current field. */
    void readSystem(ProtoReader packet) {
        message.resetToField(packet);
        while (message.next()) {
            switch (message.field()) {
                case SystemInfo.UTSNAME -> kernel();
                case SystemInfo.ANDROID_BUILD_FINGERPRINT -> text("android_build_fingerprint", message);
                case SystemInfo.TRACING_SERVICE_VERSION -> text("tracing_service_version", message);
                case SystemInfo.ANDROID_SDK_VERSION -> number("android_sdk_version");
                case SystemInfo.TIMEZONE_OFF_MINS -> number("timezone_off_mins");
                case SystemInfo.SYSTEM_RAM_BYTES -> memory();
                case SystemInfo.NUM_CPUS -> number("num_cpus");
                case SystemInfo.ANDROID_SOC_MODEL -> text("android_soc_model", message);
                case SystemInfo.ANDROID_DEVICE_MANUFACTURER -> text("android_device_manufacturer", message);
                default -> {}
            }
        }
    }

    private void number(String name) {
        builder.putMetadata(name, Long.toString(message.value()));
    }

    private void memory() {
        number("system_ram_bytes");
        builder.putMetadata("system_ram_gb", Long.toString(Math.round(message.value() / (double) GIGABYTE)));
    }

    private void text(String name, ProtoReader reader) {
        builder.putMetadata(name, reader.string(MAX_TEXT));
    }

    private void kernel() {
        part.resetToField(message);
        while (part.next()) {
            switch (part.field()) {
                case Utsname.SYSNAME -> text("system_name", part);
                case Utsname.VERSION -> text("system_version", part);
                case Utsname.MACHINE -> text("system_machine", part);
                case Utsname.RELEASE -> {
                    text("system_release", part);
                    kernelRelease(part.string(MAX_TEXT));
                }
                default -> {}
            }
        }
    }

    private void kernelRelease(String release) {
        Machine.Kernel kernel = Machine.Kernel.parse(release);
        if (kernel == null) {
            skipped.omit(UnreadableRecords.Kind.KERNEL_VERSION);
        } else {
            builder.kernel().kernelVersion(kernel);
        }
    }

    /** Imports the list of packages in a packet's current field. */
    void readPackages(ProtoReader packet) {
        message.resetToField(packet);
        while (message.next()) {
            if (message.field() == PackagesList.PACKAGES && packages++ < MAX_PACKAGES) {
                builder.addPackage(installed());
            }
        }
    }

    private Machine.App installed() {
        String name = "";
        long uid = 0;
        boolean debuggable = false;
        boolean profileable = false;
        long version = 0;
        part.resetToField(message);
        while (part.next()) {
            switch (part.field()) {
                case PackageInfo.NAME -> name = part.string(MAX_TEXT);
                case PackageInfo.UID -> uid = part.value();
                case PackageInfo.DEBUGGABLE -> debuggable = part.boolValue();
                case PackageInfo.PROFILEABLE_FROM_SHELL -> profileable = part.boolValue();
                case PackageInfo.VERSION_CODE -> version = part.value();
                default -> {}
            }
        }
        return new Machine.App(name, uid, debuggable, profileable, version);
    }
}
