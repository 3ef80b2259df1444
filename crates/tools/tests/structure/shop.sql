-- A shop that sells tea.

-- All teas.
CREATE TABLE IF NOT EXISTS shop.teas (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL DEFAULT 'secret',
    price NUMERIC(10, 2)
);

CREATE INDEX teas_name ON teas (name);

CREATE VIEW cheap AS SELECT * FROM teas WHERE price < 3;

CREATE FUNCTION twice(x integer) RETURNS integer AS $$
  SELECT x * 2;
$$ LANGUAGE sql;

INSERT INTO teas VALUES (1, 'green', 2);
