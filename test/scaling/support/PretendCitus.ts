/** What the extension would refuse of a distribution, on a PostgreSQL without it. */

/** Notes where each table lies, and refuses keys that one shard cannot hold. */
export const PRETEND_CITUS = `
CREATE SCHEMA pretended;
CREATE TABLE pretended.tables (name text PRIMARY KEY, column_name text, place text NOT NULL);

CREATE FUNCTION create_distributed_table(relation regclass, distribution_column text, colocate_with text DEFAULT 'default')
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  place text;
  number smallint;
  split text;
BEGIN
  SELECT a.attnum INTO number FROM pg_attribute a
  WHERE a.attrelid = relation AND a.attname = distribution_column AND a.attnotnull AND NOT a.attisdropped;
  IF number IS NULL THEN
    RAISE EXCEPTION '% has no column % that is never null', relation, distribution_column;
  END IF;
  SELECT i.indexrelid::regclass::text INTO split FROM pg_index i
  WHERE i.indrelid = relation AND i.indisunique AND number <> ALL (i.indkey::smallint[]);
  IF split IS NOT NULL THEN
    RAISE EXCEPTION '% is unique over several shards of %', split, relation;
  END IF;
  IF colocate_with = 'none' THEN
    place := relation::text;
  ELSE
    SELECT t.place INTO place FROM pretended.tables t JOIN pg_attribute theirs
      ON theirs.attrelid = t.name::regclass AND theirs.attname = t.column_name
    JOIN pg_attribute ours ON ours.attrelid = relation AND ours.attnum = number AND ours.atttypid = theirs.atttypid
    WHERE t.name = colocate_with;
    IF place IS NULL THEN
      RAISE EXCEPTION '% cannot lie with %', relation, colocate_with;
    END IF;
  END IF;
  INSERT INTO pretended.tables VALUES (relation::text, distribution_column, place);
END $$;

CREATE FUNCTION create_reference_table(relation regclass) RETURNS void LANGUAGE sql AS $$
  INSERT INTO pretended.tables VALUES (relation::text, NULL, 'every node')
$$;

CREATE FUNCTION citus_add_local_table_to_metadata(relation regclass) RETURNS void LANGUAGE sql AS $$
  INSERT INTO pretended.tables VALUES (relation::text, NULL, 'coordinator')
$$;
`

/** References whose two sides may lie on different nodes. */
export const SPLIT_REFERENCES = `
SELECT c.conrelid::regclass::text AS owner, c.confrelid::regclass::text AS target FROM pg_constraint c
WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace AND NOT EXISTS (
  SELECT 1 FROM pretended.tables o JOIN pretended.tables t ON t.place = o.place
  JOIN pg_attribute ours ON ours.attrelid = c.conrelid AND ours.attname = o.column_name
  JOIN pg_attribute theirs ON theirs.attrelid = c.confrelid AND theirs.attname = t.column_name
  WHERE o.name = c.conrelid::regclass::text AND t.name = c.confrelid::regclass::text
    AND array_position(c.conkey, ours.attnum) = array_position(c.confkey, theirs.attnum)
)`

export const PLACED = "SELECT name FROM pretended.tables ORDER BY name"

export const TABLES = `SELECT c.relname AS name FROM pg_class c
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`
