/** Takes the indexes and constraints of tables away and brings them back as they were: what is filled without them is indexed in one go. */
import type pg from "pg"

interface Shelved {
  readonly drop: string
  readonly restore: string
}

const CONSTRAINTS = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', c.conrelid::regclass, c.conname) AS drop,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) AS restore
  FROM pg_constraint c
  WHERE c.contype = ANY ($2::text[]::"char"[]) AND (c.conrelid = ANY ($1::regclass[]) OR c.confrelid = ANY ($1::regclass[]))
  ORDER BY c.contype DESC`

const INDEXES = `
  SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS drop, pg_get_indexdef(i.indexrelid) AS restore
  FROM pg_index i WHERE i.indrelid = ANY ($1::regclass[])
    AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u'))`

const shelve = async (
  client: pg.Client,
  text: string,
  values: ReadonlyArray<unknown>
): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query<Shelved>(text, [...values])
  for (const { drop } of rows) await client.query(drop)
  return rows.map(({ restore }) => restore)
}

export const withoutIndexes = async (
  client: pg.Client,
  tables: ReadonlyArray<string>,
  fill: () => Promise<void>
): Promise<void> => {
  const references = await shelve(client, CONSTRAINTS, [tables, ["f"]])
  const indexes = await shelve(client, INDEXES, [tables])
  const keys = await shelve(client, CONSTRAINTS, [tables, ["p", "u"]])
  await fill()
  for (const restore of [...keys, ...indexes, ...references]) await client.query(restore)
}
