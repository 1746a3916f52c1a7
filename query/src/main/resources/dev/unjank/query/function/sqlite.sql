-- SQLite's functions and conversions for arguments of fixed types, as macros of DuckDB. Functions whose result depends on the types
-- or on the number of their arguments, or on a literal argument, are in Java.

-- Conversions

-- The number at the start of a string; 0 if there is none.
CREATE OR REPLACE MACRO sqlite_number(x) AS
  CAST(coalesce(
    TRY_CAST(trim(regexp_extract(x, '^\s*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?')) AS DOUBLE),
    CASE WHEN x IS NOT NULL THEN 0 END
  ) AS DOUBLE);

-- The integer at the start of a string; 0 if there is none, the smallest or largest integer if it is out of range.
CREATE OR REPLACE MACRO sqlite_integer(x) AS
  CAST(coalesce(
    TRY_CAST(trim(regexp_extract(x, '^\s*[-+]?[0-9]+')) AS BIGINT),
    CASE
      WHEN x IS NULL THEN NULL
      WHEN regexp_matches(x, '^\s*[+]?[0-9]') THEN 9223372036854775807
      WHEN regexp_matches(x, '^\s*-[0-9]') THEN -9223372036854775808
      ELSE 0
    END
  ) AS BIGINT);

-- A floating-point number without its fraction; the smallest or largest integer if it is out of range.
CREATE OR REPLACE MACRO sqlite_truncated(x) AS
  CAST(coalesce(
    TRY_CAST(trunc(x) AS BIGINT),
    CASE WHEN x > 0 THEN 9223372036854775807 WHEN x < 0 THEN -9223372036854775808 END
  ) AS BIGINT);

-- A floating-point number with fifteen digits and a point; adding 0 removes a negative zero.
CREATE OR REPLACE MACRO sqlite_real_text(x) AS
  regexp_replace(replace(printf('%.15g', x + 0), 'inf', 'Inf'), '^(-?[0-9]+)(e|$)', '\1.0\2');

-- A string that looks like a number as that number; NULL for others.
CREATE OR REPLACE MACRO sqlite_numeric(x) AS TRY_CAST(x AS DOUBLE);

-- Operators

-- Shifts are arithmetic to the right; a negative distance shifts in the other direction.
CREATE OR REPLACE MACRO sqlite_distance(n) AS least(greatest(n, 0), 63);

CREATE OR REPLACE MACRO sqlite_leftward(x, n) AS
  CASE WHEN n > 63 THEN 0 ELSE CAST(CAST(x AS BIT) << CAST(sqlite_distance(n) AS INTEGER) AS BIGINT) END;

CREATE OR REPLACE MACRO sqlite_shift_left(x, n) AS
  CASE WHEN n >= 0 THEN sqlite_leftward(x, n) WHEN n < 0 THEN x >> sqlite_distance(-n) END;

CREATE OR REPLACE MACRO sqlite_shift_right(x, n) AS
  CASE WHEN n >= 0 THEN x >> sqlite_distance(n) WHEN n < 0 THEN sqlite_leftward(x, -n) END;

-- In DuckDB an exclamation mark negates a class and a backslash escapes; in SQLite a circumflex does, and none.
CREATE OR REPLACE MACRO sqlite_glob(x, pattern) AS
  x GLOB replace(replace(replace(pattern, '\', '\\'), '[!', '[' || chr(127) || '!'), '[^', '[!');

-- Strings

CREATE OR REPLACE MACRO sqlite_lower(x) AS translate(x, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');

CREATE OR REPLACE MACRO sqlite_upper(x) AS translate(x, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ');

CREATE OR REPLACE MACRO sqlite_length(x) AS CAST(length(x) AS BIGINT);

CREATE OR REPLACE MACRO sqlite_byte_length(x) AS CAST(octet_length(x) AS BIGINT);

CREATE OR REPLACE MACRO sqlite_instr(x, part) AS CAST(instr(x, part) AS BIGINT);

CREATE OR REPLACE MACRO sqlite_unicode(x) AS CAST(nullif(unicode(x), -1) AS BIGINT);

-- The character of a code point; U+FFFD for invalid code points.
CREATE OR REPLACE MACRO sqlite_char(n) AS
  chr(CAST(CASE WHEN n NOT BETWEEN 0 AND 1114111 OR n BETWEEN 55296 AND 57343 THEN 65533 ELSE n END AS INTEGER));

-- A position within the range of INTEGER, so that sums do not overflow; no string is longer.
CREATE OR REPLACE MACRO sqlite_position(n) AS
  CASE WHEN n > 2147483647 THEN 2147483647 WHEN n < -2147483647 THEN -2147483647 ELSE n END;

-- Substrings, with positions from 1, negative ones from the end, and 0 for one before the first character.
CREATE OR REPLACE MACRO sqlite_substr(x, position) AS
  CASE WHEN position = 0 THEN x ELSE substring(x, sqlite_position(position)) END;

CREATE OR REPLACE MACRO sqlite_start(x, n) AS CASE WHEN n < 0 THEN length(x) + n + 1 ELSE n END;

-- A negative count takes the characters before the position.
CREATE OR REPLACE MACRO sqlite_first(x, start, n) AS greatest(CASE WHEN n < 0 THEN start + n ELSE start END, 1);

CREATE OR REPLACE MACRO sqlite_substring(x, start, n) AS
  substring(
    x,
    sqlite_first(x, start, n),
    greatest(CASE WHEN n < 0 THEN start ELSE start + n END - sqlite_first(x, start, n), 0)
  );

CREATE OR REPLACE MACRO sqlite_substr_of(x, position, count) AS
  CASE
    WHEN position IS NOT NULL AND count IS NOT NULL
    THEN sqlite_substring(x, sqlite_start(x, sqlite_position(position)), sqlite_position(count))
  END;

-- The field of a string between separators, from 0; NULL if there are fewer fields.
CREATE OR REPLACE MACRO sqlite_split(x, separator, field) AS
  list_extract(string_split(x, separator), greatest(sqlite_position(field) + 1, 0));

-- The match of a group of a regular expression; NULL without a match.
CREATE OR REPLACE MACRO sqlite_regexp_extract(x, pattern, number) AS
  CASE WHEN regexp_matches(x, pattern) THEN regexp_extract(x, pattern, number) END;

CREATE OR REPLACE MACRO sqlite_quote(x) AS coalesce('''' || replace(x, '''', '''''') || '''', 'NULL');

CREATE OR REPLACE MACRO sqlite_quote_bytes(x) AS coalesce('X''' || hex(x) || '''', 'NULL');

CREATE OR REPLACE MACRO sqlite_hex(x) AS coalesce(hex(x), '');

-- Perfetto's UNHEX: the number that hexadecimal digits mean, with or without 0x and blanks around it.
CREATE OR REPLACE MACRO sqlite_hex_digits(x) AS
  TRY_CAST('0x' || nullif(regexp_extract(x, '^[\s\v]*(?:0[xX])?([0-9a-fA-F]{1,16})[\s\v]*$', 1), '') AS UBIGINT);

CREATE OR REPLACE MACRO sqlite_unhex(x) AS
  CAST(
    CASE
      WHEN sqlite_hex_digits(x) > 9223372036854775807 THEN CAST(sqlite_hex_digits(x) AS HUGEINT) - 18446744073709551616
      ELSE sqlite_hex_digits(x)
    END AS BIGINT
  );

-- A duration in nanoseconds as hours, minutes and seconds, then milli-, micro- and nanoseconds.
CREATE OR REPLACE MACRO sqlite_timecode(n) AS
  format(
    '{:02d}:{:02d}:{:02d} {:03d} {:03d} {:03d}',
    n // 3600000000000, n // 60000000000 % 60, n // 1000000000 % 60, n // 1000000 % 1000, n // 1000 % 1000, n % 1000
  );

CREATE OR REPLACE MACRO sqlite_base64(x) AS to_base64(encode(x));

-- Numbers; functions are NULL outside of their domain.

CREATE OR REPLACE MACRO sqlite_ln(x) AS CASE WHEN x > 0 THEN ln(x) END;

CREATE OR REPLACE MACRO sqlite_log10(x) AS CASE WHEN x > 0 THEN log10(x) END;

CREATE OR REPLACE MACRO sqlite_log2(x) AS CASE WHEN x > 0 THEN log2(x) END;

CREATE OR REPLACE MACRO sqlite_log(base, x) AS CASE WHEN base > 1 AND x > 0 THEN ln(x) / ln(base) END;

CREATE OR REPLACE MACRO sqlite_sqrt(x) AS CASE WHEN x >= 0 THEN sqrt(x) END;

CREATE OR REPLACE MACRO sqlite_asin(x) AS CASE WHEN x BETWEEN -1 AND 1 THEN asin(x) END;

CREATE OR REPLACE MACRO sqlite_acos(x) AS CASE WHEN x BETWEEN -1 AND 1 THEN acos(x) END;

CREATE OR REPLACE MACRO sqlite_mod(x, y) AS x % nullif(y, 0);

CREATE OR REPLACE MACRO sqlite_round(x, digits) AS round(x, CAST(least(greatest(digits, 0), 30) AS INTEGER));

CREATE OR REPLACE MACRO sqlite_sign(x) AS CAST(sign(x) AS BIGINT);

CREATE OR REPLACE MACRO sqlite_random() AS CAST(floor((random() - 0.5e0) * 18446744073709549568e0) AS BIGINT);

-- Dates and times

CREATE OR REPLACE MACRO sqlite_time_of_seconds(x) AS make_timestamp(CAST(x * 1000000 AS BIGINT));

CREATE OR REPLACE MACRO sqlite_time_of_julian_day(x) AS
  CASE
    WHEN x >= 0 AND x < 5373484.5 THEN make_timestamp(CAST(round((x - 2440587.5e0) * 86400000) * 1000 AS BIGINT))
  END;

-- The date, the time or the time zone in a string; DuckDB itself would ignore the zone.
CREATE OR REPLACE MACRO sqlite_time_part(x, part) AS
  regexp_extract(
    x,
    '^(-?[0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ T]+([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]+)?)?)\s*(?:[zZ]|([-+](?:0[0-9]|1[0-4]):[0-5][0-9]))?)?\s*$',
    part
  );

CREATE OR REPLACE MACRO sqlite_time_in_zone(x) AS
  TRY_CAST(trim(sqlite_time_part(x, 1) || ' ' || sqlite_time_part(x, 2)) AS TIMESTAMP)
    - coalesce(TRY_CAST(ltrim(sqlite_time_part(x, 3), '+') AS INTERVAL), to_minutes(0));

-- A time without a date is on 2000-01-01.
CREATE OR REPLACE MACRO sqlite_time_of_text(x) AS sqlite_time_in_zone(regexp_replace(x, '^([0-9]{2}:)', '2000-01-01 \1'));

CREATE OR REPLACE MACRO sqlite_julianday(t) AS epoch(t) / 86400 + 2440587.5e0;

CREATE OR REPLACE MACRO sqlite_unixepoch(t) AS CAST(floor(epoch(t)) AS BIGINT);

CREATE OR REPLACE MACRO sqlite_epoch_text(t) AS CAST(CAST(epoch(t) AS BIGINT) AS VARCHAR);
