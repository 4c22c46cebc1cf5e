-- Accounts that client addresses enrolled on a day (UTC), over all replicas; addresses are stored as hashes and only for the day.
CREATE TABLE address_enrolments (
  day bigint NOT NULL,
  address_hash text NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (day, address_hash)
);
