package dev.unjank.fleet.label;

import dev.unjank.trace.model.Machine;
import java.io.Serializable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The labels of a trace; null if unknown. */
public record TraceLabels(
        @Nullable String device,
        @Nullable String osBuild,
        @Nullable String app,
        @Nullable String appVersion) implements Serializable {
    private static final long serialVersionUID = 1;

    public static final TraceLabels NONE = new TraceLabels(null, null, null, null);

    /** {@code brand/product/device:release/id/incremental:type/tags}. */
    private static final int DEVICE_IN_FINGERPRINT = 2;

    /** The labels of a trace from its content. The version is known only if the app's name is given. */
    public static TraceLabels of(Machine machine, @Nullable String app) {
        Map<String, String> facts = machine.facts();
        String recorded = facts.get("android_build_fingerprint");
        String fingerprint = recorded != null && recorded.indexOf('/') > 0
                ? recorded
                : null; // without a slash it is an error message
        String device = fingerprint == null ? facts.get("android_soc_model") : device(fingerprint);
        String build = fingerprint == null ? facts.get("system_release") : fingerprint;
        return new TraceLabels(device, build, app, app == null ? null : version(machine, app));
    }

    private static @Nullable String device(String fingerprint) {
        String[] parts = fingerprint.split(":", -1)[0].split("/", -1);
        return parts.length > DEVICE_IN_FINGERPRINT ? parts[DEVICE_IN_FINGERPRINT] : null;
    }

    private static @Nullable String version(Machine machine, String app) {
        return machine.packages().stream()
                .filter(installed -> installed.name().equals(app))
                .map(installed -> Long.toString(installed.versionCode()))
                .findFirst()
                .orElse(null);
    }

    /** These labels; unknown labels are taken from the other ones. */
    public TraceLabels or(TraceLabels others) {
        return new TraceLabels(
                device == null ? others.device : device,
                osBuild == null ? others.osBuild : osBuild,
                app == null ? others.app : app,
                appVersion == null ? others.appVersion : appVersion);
    }

    /** The values in the order of the columns: device, os_build, app, app_version. */
    @Nullable
    public Object[] values() {
        return new @Nullable Object[] {device, osBuild, app, appVersion};
    }
}
