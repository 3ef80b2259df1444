CREATE TABLE containers (
  id text PRIMARY KEY,
  block text NOT NULL,
  slot integer NOT NULL,
  tier integer NOT NULL CHECK (tier BETWEEN 1 AND 5),
  UNIQUE (block, slot, tier)
);
