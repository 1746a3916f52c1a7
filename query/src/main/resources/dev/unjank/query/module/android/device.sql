-- The name of the device: the third part of the build's fingerprint, brand/product/device:version/….

CREATE PERFETTO FUNCTION android_device_name_from_fingerprint(fingerprint STRING) RETURNS STRING AS
SELECT str_split(str_split($fingerprint, '/', 2), ':', 0);

CREATE PERFETTO TABLE android_device_name AS
SELECT android_device_name_from_fingerprint(str_value) AS name, 0 AS machine_id
FROM metadata
WHERE name = 'android_build_fingerprint' AND str_value IS NOT NULL;
