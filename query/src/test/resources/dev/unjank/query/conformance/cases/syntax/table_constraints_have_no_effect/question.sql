CREATE TABLE span(ts BIGINT, part INT, dur BIGINT, PRIMARY KEY (part, ts)) WITHOUT ROWID;
INSERT INTO span VALUES (5, 1, 2), (1, 2, 3);
SELECT ts, part FROM span ORDER BY ts;
