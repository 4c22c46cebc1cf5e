import { assert, it } from "vitest"
import { hashOfBigint, spread, spreadTable } from "../../scripts/scaling/Shards.ts"
import { readTable } from "../../scripts/scaling/Tables.ts"
import { freshDatabase } from "../support/Postgres.ts"
import { askingSql } from "./support/AskingSql.ts"

it("accounts fall on shards by PostgreSQL's own hash", async () => {
  const values = ["0", "1", "2", "31337", "4294967296", "9007199254740993", "-1", "-4294967297"]
  const database = await freshDatabase()
  const rows = await askingSql(database.url, ask =>
    ask("SELECT hashint8(v::bigint) AS hash FROM unnest($1::text[]) WITH ORDINALITY AS t (v, n) ORDER BY n", [
      values
    ])
  )
  assert.deepStrictEqual(
    values.map(value => hashOfBigint(BigInt(value))),
    rows.map(({ hash }) => Number(hash))
  )
  await database.drop()
})

it("the hottest shard carries at least the hottest account, and little more than its part where all ask alike", () => {
  const even = spread(100_000, 0, 32, 8)
  assert.isBelow(even.shard, (1 / 32) * 1.1)
  const skewed = spread(100_000, 1.2, 32, 8)
  assert.isAbove(skewed.shard, skewed.account)
  assert.isAbove(skewed.account, 0.15)
  assert.isAtLeast(skewed.node, skewed.shard)
})

it("the page has the table that the command writes", () => {
  assert.strictEqual(readTable("docs/scaling.md", "shards"), spreadTable())
})
