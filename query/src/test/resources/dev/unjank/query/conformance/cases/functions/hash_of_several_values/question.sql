SELECT hash('unjank') AS a, hash(7, 'seven', 0.5) AS b;
