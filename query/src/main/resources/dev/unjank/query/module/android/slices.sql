-- Slice names without their variable parts, so that slices can be grouped.

CREATE PERFETTO FUNCTION android_standardize_slice_name(name STRING) RETURNS STRING AS
SELECT
  CASE
    WHEN $name GLOB 'Lock contention on*' THEN 'Lock contention on <...>'
    WHEN $name GLOB 'monitor contention with*' THEN 'monitor contention with <...>'
    WHEN $name GLOB 'SuspendThreadByThreadId*' THEN 'SuspendThreadByThreadId <...>'
    WHEN $name GLOB 'LoadApkAssetsFd*' THEN 'LoadApkAssetsFd <...>'
    WHEN $name GLOB 'relayoutWindow*' THEN 'relayoutWindow <...>'
    WHEN $name GLOB 'android.os.Handler: kotlinx.coroutines*' THEN 'CoroutineContinuation'
    WHEN $name GLOB 'Choreographer#doFrame*' THEN 'Choreographer#doFrame'
    WHEN $name GLOB 'DrawFrames*' THEN 'DrawFrames'
    WHEN $name GLOB 'DrawFrame*' THEN 'DrawFrame'
    WHEN $name GLOB 'Waiting for GPU*' THEN 'Waiting for GPU'
    WHEN $name GLOB 'waiting for HWC release*' THEN 'waiting for HWC release'
    WHEN $name GLOB 'APK load*' OR $name GLOB '/data/app*' THEN 'APK load'
    ELSE $name
  END;
