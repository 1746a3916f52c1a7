package dev.unjank.fleet;

import dev.unjank.trace.Machine;
import java.io.Serializable;
import java.util.List;
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
public record Labels(
        @Nullable String device,
        @Nullable String osBuild,
        @Nullable String app,
        @Nullable String appVersion) implements Serializable {
    private static final long serialVersionUID = 1;

    static final Labels NONE = new Labels(null, null, null, null);

    /** As columns have them, in order. */
    static final List<Column> COLUMNS =
            List.of(Column.text("device"), Column.text("os_build"), Column.text("app"), Column.text("app_version"));

    /** {@code brand/product/device:release/id/incremental:type/tags}. */
    private static final int DEVICE_IN_FINGERPRINT = 2;

    /** What a trace says of itself; of an app only if it is named. */
    static Labels of(Machine machine, @Nullable String app) {
        Map<String, String> facts = machine.facts();
        String told = facts.get("android_build_fingerprint");
        String fingerprint =
                told != null && told.indexOf('/') > 0 ? told : null; // some devices tell why they do not tell
        String device = fingerprint == null ? facts.get("android_soc_model") : device(fingerprint);
        String build = fingerprint == null ? facts.get("system_release") : fingerprint;
        return new Labels(device, build, app, app == null ? null : version(machine, app));
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
    Labels or(Labels others) {
        return new Labels(
                device == null ? others.device : device,
                osBuild == null ? others.osBuild : osBuild,
                app == null ? others.app : app,
                appVersion == null ? others.appVersion : appVersion);
    }

    /** In the order of {@link #COLUMNS}. */
    @Nullable
    Object[] values() {
        return new @Nullable Object[] {device, osBuild, app, appVersion};
    }
}
