-- Time to initial display and time to full display of app startups; the latter ends with the first frame after reportFullyDrawn.
INCLUDE PERFETTO MODULE android.startup.startups;
INCLUDE PERFETTO MODULE android.frames.timeline;

CREATE PERFETTO TABLE _startup_frames AS
SELECT s.startup_id, s.ts AS startup_ts, p.upid, f.frame_id, f.ts, f.dur, f.ui_thread_utid, draw.ts + draw.dur AS drawn_ts
FROM android_startups AS s
JOIN android_startup_processes AS p ON p.startup_id = s.startup_id
JOIN android_frames AS f ON f.upid = p.upid AND f.ts >= s.ts
JOIN slice AS draw ON draw.id = f.draw_frame_id;

CREATE PERFETTO TABLE _initial_display AS
SELECT startup_id, upid, frame_id, min(ts) AS ts, drawn_ts - startup_ts AS until_drawn
FROM _startup_frames
GROUP BY startup_id;

CREATE PERFETTO TABLE _reported_fully_drawn AS
SELECT s.startup_id, report.utid, min(report.ts) AS ts
FROM android_startups AS s
JOIN android_startup_processes AS p ON p.startup_id = s.startup_id
JOIN thread_slice AS report ON report.upid = p.upid AND report.ts >= s.ts
WHERE report.name GLOB 'reportFullyDrawn*' AND report.is_main_thread
GROUP BY s.startup_id;

-- The frame may be in progress at that time.
CREATE PERFETTO TABLE _full_display AS
SELECT f.startup_id, f.frame_id, min(f.ts) AS ts, f.drawn_ts - f.startup_ts AS until_drawn
FROM _startup_frames AS f
JOIN _reported_fully_drawn AS report ON report.startup_id = f.startup_id AND report.utid = f.ui_thread_utid
WHERE f.ts + f.dur > report.ts
GROUP BY f.startup_id;

CREATE PERFETTO TABLE android_startup_time_to_display AS
SELECT
  s.startup_id,
  initial.until_drawn AS time_to_initial_display,
  complete.until_drawn AS time_to_full_display,
  initial.frame_id AS ttid_frame_id,
  complete.frame_id AS ttfd_frame_id,
  initial.upid
FROM android_startups AS s
LEFT JOIN _initial_display AS initial ON initial.startup_id = s.startup_id
LEFT JOIN _full_display AS complete ON complete.startup_id = s.startup_id;
