SELECT regexp_extract('ab', 'a(x)?b') AS a, regexp_extract('axb', 'a(x)?b') AS b, regexp_extract('ab', 'a(x*)b') AS c;
