CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT NOT NULL DEFAULT 'none', UNIQUE (title));
INSERT INTO book(title) VALUES ('a'), ('b');
INSERT INTO book(title) VALUES ('c');
SELECT * FROM book ORDER BY title;
