-- Unauthenticated answers and public reads that client addresses caused in a fixed minute, over all replicas.
CREATE TABLE address_usage (
  kind text NOT NULL,
  address_hash text NOT NULL,
  minute bigint NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (kind, address_hash, minute)
);

CREATE INDEX address_usage_by_minute ON address_usage (minute);
