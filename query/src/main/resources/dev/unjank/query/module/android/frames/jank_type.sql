-- Classes of jank types in actual_frame_timeline_slice: jank of the app, jank of SurfaceFlinger, missed frames.

CREATE PERFETTO FUNCTION android_is_app_jank_type(jank_type STRING) RETURNS BOOL AS
SELECT $jank_type GLOB '*App Deadline Missed*' OR $jank_type GLOB '*App Resynced Jitter*';

CREATE PERFETTO FUNCTION android_is_sf_jank_type(jank_type STRING) RETURNS BOOL AS
SELECT
  $jank_type GLOB '*SurfaceFlinger CPU Deadline Missed*'
  OR $jank_type GLOB '*SurfaceFlinger GPU Deadline Missed*'
  OR $jank_type GLOB '*SurfaceFlinger Scheduling*'
  OR $jank_type GLOB '*Prediction Error*'
  OR $jank_type GLOB '*Display HAL*';

CREATE PERFETTO FUNCTION android_is_missed_frame_type(jank_type STRING) RETURNS BOOL AS
SELECT
  android_is_app_jank_type($jank_type) OR android_is_sf_jank_type($jank_type) OR $jank_type GLOB '*Dropped Frame*';
