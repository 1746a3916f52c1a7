-- Frames of apps and the frames of SurfaceFlinger that showed them.

CREATE PERFETTO TABLE android_app_to_sf_frame_timeline_match AS
SELECT DISTINCT
  app.upid AS app_upid, app.surface_frame_token AS app_vsync, sf.upid AS sf_upid, app.display_frame_token AS sf_vsync
FROM actual_frame_timeline_slice AS app
LEFT JOIN actual_frame_timeline_slice AS sf
  ON sf.display_frame_token = app.display_frame_token AND coalesce(sf.surface_frame_token, 0) = 0
WHERE app.surface_frame_token > 0
ORDER BY app_vsync, sf_vsync;
