package dev.unjank.fleet.label;

import dev.unjank.trace.model.Machine;
import java.io.Serializable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What traces are told apart by. Each is null where nobody says.
 *
 * @param device the kind of device
 * @param osBuild what runs on it
 * @param app the app that matters
 * @param appVersion that app's version
 */
public record TraceLabels(
        @Nullable String device,
        @Nullable String osBuild,
        @Nullable String app,
        @Nullable String appVersion) implements Serializable {
    private static final long serialVersionUID = 1;

    public static final TraceLabels NONE = new TraceLabels(null, null, null, null);

    /** {@code brand/product/device:release/id/incremental:type/tags}. */
    private static final int DEVICE_IN_FINGERPRINT = 2;

    /** What a trace says of itself; of an app only if it is named. */
    public static TraceLabels of(Machine machine, @Nullable String app) {
        Map<String, String> facts = machine.facts();
        String told = facts.get("android_build_fingerprint");
        String fingerprint =
                told != null && told.indexOf('/') > 0 ? told : null; // some devices tell why they do not tell
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

    /** These, and where they say nothing what others say. */
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
