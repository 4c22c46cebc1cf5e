-- Since when operations that were never sent have lost their nonce without an event that says by what: the final block that it was first seen at.
CREATE TABLE silent_nonces (
  operation uuid PRIMARY KEY REFERENCES user_operations (id),
  block bigint NOT NULL,
  hash text NOT NULL,
  seen_at bigint NOT NULL,
  -- Whether all that was searched was given up once more a quarter of an hour later.
  anew boolean NOT NULL DEFAULT false
);
