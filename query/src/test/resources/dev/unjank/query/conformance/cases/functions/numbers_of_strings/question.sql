SELECT unhex(' 0xff ') AS a, unhex('F') AS b, unhex('g') AS c, sqrt('9') AS d, exp(NULL) AS e, ln('x') AS f, sqrt(9) AS g;
