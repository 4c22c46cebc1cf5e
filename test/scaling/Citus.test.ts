import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, it } from "vitest"
import { migratedDatabase } from "../support/MigratedDatabase.ts"
import type { FreshDatabase } from "../support/Postgres.ts"
import { type AskSql, askingSql } from "./support/AskingSql.ts"
import { PLACED, PRETEND_CITUS, SPLIT_REFERENCES, TABLES } from "./support/PretendCitus.ts"

const [KEYS = "", DISTRIBUTION = "", REFERENCES = ""] = [
  "1_keys.sql",
  "2_distribution.sql",
  "3_references.sql"
].map(file => readFileSync(join("schema", "citus", file), "utf8"))

let migrated: FreshDatabase

const onDistributed = async <A>(use: (ask: AskSql) => Promise<A>): Promise<A> =>
  askingSql(migrated.url, async ask => {
    await ask("BEGIN")
    for (const text of [PRETEND_CITUS, KEYS, DISTRIBUTION, REFERENCES]) await ask(text)
    return use(ask)
  })

const refusal = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => "",
    cause => String(Object(cause).message)
  )

beforeAll(async () => {
  migrated = await migratedDatabase()
})

afterAll(() => migrated.drop())

it("every table of the migrations has its place, and no reference leaves it", async () => {
  await onDistributed(async ask => {
    const placed = (await ask(PLACED)).map(({ name }) => name)
    assert.deepStrictEqual(
      placed,
      (await ask(TABLES)).map(({ name }) => name)
    )
    assert.deepStrictEqual(await ask(SPLIT_REFERENCES), [])
  })
})

it("the page says of each table where it lies", async () => {
  const page = readFileSync("docs/scaling.md", "utf8")
  const names = await onDistributed(ask => ask(TABLES))
  assert.deepStrictEqual(
    names.filter(({ name }) => !page.includes(`\`${name}\``)),
    []
  )
})

it("a key that several shards would have to hold is refused", async () => {
  const said = await askingSql(migrated.url, async ask => {
    await ask("BEGIN")
    await ask(PRETEND_CITUS)
    return refusal(ask("SELECT create_distributed_table('plans', 'account')"))
  })
  assert.strictEqual(said, "plans_pkey is unique over several shards of plans")
})

it("a reference from one group to another is seen", async () => {
  const seen = await onDistributed(async ask => {
    await ask(
      "ALTER TABLE reserved_nonces ADD FOREIGN KEY (account, plan, step) REFERENCES plan_steps (account, plan, step)"
    )
    return ask(SPLIT_REFERENCES)
  })
  assert.deepStrictEqual(seen, [{ owner: "reserved_nonces", target: "plan_steps" }])
})

it("a global key is one claim's for good, until what it stands for can never be any more", async () => {
  const answers = await onDistributed(async ask => {
    const claim = async (account: number, subject: string) => {
      const [row] = await ask("SELECT claim_global_key('bundle', 'b', $1, $2) AS ours", [account, subject])
      return row?.ours
    }
    const release = (account: number, subject: string) =>
      ask("SELECT release_global_key('bundle', 'b', $1, $2)", [account, subject])
    const before = [await claim(1, "x"), await claim(1, "x"), await claim(1, "y"), await claim(2, "x")]
    await release(2, "x")
    const foreign = await claim(2, "x")
    await release(1, "x")
    return [...before, foreign, await claim(2, "x")]
  })
  assert.deepStrictEqual(answers, [true, true, false, false, false, true])
})
