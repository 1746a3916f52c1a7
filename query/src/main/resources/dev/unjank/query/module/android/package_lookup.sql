-- The package of a user id: of the same app id for any user; the name of a system user; or the id itself.

CREATE PERFETTO TABLE _package_of_app_id AS
SELECT uid % 100000 AS app_id, min(package_name) AS package_name FROM package_list GROUP BY uid % 100000;

CREATE PERFETTO FUNCTION android_package_lookup(uid LONG) RETURNS STRING AS
SELECT
  coalesce(
    (SELECT package_name FROM _package_of_app_id WHERE app_id = $uid % 100000 AND $uid % 100000 >= 10000),
    CASE $uid % 100000
      WHEN 0 THEN 'AID_ROOT' WHEN 1000 THEN 'AID_SYSTEM_USER' WHEN 1001 THEN 'AID_RADIO' WHEN 1002 THEN 'AID_BLUETOOTH'
      WHEN 1003 THEN 'AID_GRAPHICS' WHEN 1010 THEN 'AID_WIFI' WHEN 1013 THEN 'AID_MEDIA' WHEN 1027 THEN 'AID_NFC'
      WHEN 1041 THEN 'AID_AUDIOSERVER' WHEN 1047 THEN 'AID_CAMERASERVER' WHEN 1073 THEN 'AID_NETWORK_STACK'
      WHEN 2000 THEN 'AID_SHELL' WHEN 9999 THEN 'AID_NOBODY'
    END,
    (SELECT package_name FROM _package_of_app_id WHERE app_id = $uid % 100000),
    'uid=' || $uid
  );
