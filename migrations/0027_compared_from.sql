-- In milliseconds, from when on chains are compared with a database that was restored: when its backup was taken, or what it had last then.
-- Null where nobody said so and what it had last does not tell.
ALTER TABLE restorations ADD COLUMN compared_from bigint;
