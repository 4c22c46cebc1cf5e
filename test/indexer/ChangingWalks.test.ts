/** Walks over a source whose rows go, come and move between the pages. */
import { Effect, Either } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { chanceOf, plainRow } from "../support/IndexedRows.ts"
import { startIndexedSource } from "../support/IndexedSource.ts"
import { type Reader, startReader } from "./support/Reader.ts"

const WALKS = 40

const source = await startIndexedSource({ masked: false })
const reader = await startReader({ testnet: source.url })

afterAll(async () => {
  await reader.stop()
  await source.stop()
})

interface Ordering {
  readonly field: "amount" | "feeFromProject" | "timestamp"
  readonly direction: "asc" | "desc"
}

const ORDERINGS: ReadonlyArray<Ordering | undefined> = [
  undefined,
  { field: "amount", direction: "desc" },
  { field: "timestamp", direction: "asc" },
  { field: "feeFromProject", direction: "asc" },
  { field: "feeFromProject", direction: "desc" }
]

/** Rows of one table that a test moves about, and which of them did not stay as they were. */
class Table {
  readonly disturbed = new Set<string>()
  readonly #chance: () => number
  #serial = 0

  constructor(seed: number) {
    this.#chance = chanceOf(seed)
  }

  below(limit: number): number {
    return Math.floor(this.#chance() * limit)
  }

  async fill(count: number): Promise<ReadonlyArray<string>> {
    await source.empty("payEvent")
    const rows = Array.from({ length: count }, () => this.#row())
    if (count > 0) await source.insert("payEvent", rows)
    return rows.map(({ id }) => id)
  }

  #row() {
    this.#serial += 1
    return {
      ...plainRow(source.model, "payEvent", { chainId: 84532, projectId: 2 }),
      id: `${String(this.below(1000)).padStart(3, "0")}-${this.#serial}`,
      amount: String(this.below(6)),
      timestamp: this.below(6),
      feeFromProject: this.below(3) === 0 ? null : this.below(4)
    }
  }

  async #delete(id: string): Promise<void> {
    this.disturbed.add(id)
    await source.query(`DELETE FROM ${source.table("payEvent")} WHERE id = $1`, [id])
  }

  async #move(id: string): Promise<void> {
    this.disturbed.add(id)
    const { amount, timestamp, feeFromProject } = this.#row()
    await source.query(
      `UPDATE ${source.table("payEvent")} SET amount = $2, timestamp = $3, "feeFromProject" = $4 WHERE id = $1`,
      [id, amount, timestamp, feeFromProject]
    )
  }

  /** The row that the cursor stands on goes or moves more often than any other. */
  async disturb(given: ReadonlyArray<string>): Promise<void> {
    const rows = await source.query(`SELECT id FROM ${source.table("payEvent")} ORDER BY id`)
    const ids = rows.map(({ id }) => String(id))
    const last = given.at(-1)
    if (last !== undefined && this.below(2) === 0)
      await (this.below(3) === 0 ? this.#move(last) : this.#delete(last))
    for (const id of ids) {
      const kind = this.below(12)
      if (kind < 2) await this.#delete(id)
      else if (kind === 2) await this.#move(id)
    }
    if (this.below(3) === 0) {
      const row = this.#row()
      this.disturbed.add(row.id)
      await source.insert("payEvent", [row])
    }
  }
}

type Page = Effect.Effect.Success<ReturnType<Reader["indexer"]["list"]>>

/** Asked again where the rows around the cursor changed faster than they could be read. */
const steady = async (ask: ReturnType<Reader["indexer"]["list"]>): Promise<Page> => {
  for (let times = 0; times < 20; times++) {
    const answer = await reader.run(Effect.either(ask))
    if (Either.isRight(answer)) return answer.right
    assert.deepInclude(answer.left, { _tag: "INDEXER_INVALID_RESPONSE" })
    assert.notStrictEqual(answer.left.retryable, false)
  }
  return assert.fail("The rows never came to rest.")
}

const walk = async (
  table: Table,
  orderBy: Ordering | undefined,
  limit: number,
  given: Array<string> = []
): Promise<ReadonlyArray<string>> => {
  let cursor: string | undefined
  for (let pages = 0; pages === 0 || cursor !== undefined; pages++) {
    assert.isBelow(pages, 200, "a walk ends")
    const { items, nextCursor } = await steady(
      reader.indexer.list("payEvent", {
        network: "testnet",
        fields: ["amount"],
        limit,
        cursor,
        ...(orderBy === undefined ? {} : { orderBy: { ...orderBy } })
      })
    )
    given.push(...items.map(({ id }) => String(id)))
    cursor = nextCursor ?? undefined
    if (cursor !== undefined) await table.disturb(given)
  }
  return given
}

describe("a walk over rows that go, come and move", () => {
  for (const orderBy of ORDERINGS) {
    const told = orderBy === undefined ? "the key" : `${orderBy.field} ${orderBy.direction}`
    it(`by ${told} gives no row twice, and each that stayed as it was`, { timeout: 120_000 }, async () => {
      for (let seed = 1; seed <= WALKS; seed++) {
        const table = new Table(seed)
        const stood = await table.fill(table.below(14))
        const given = await walk(table, orderBy, 1 + table.below(4))
        assert.strictEqual(new Set(given).size, given.length, `walk ${seed} gave ${given.join(" ")}`)
        const missed = stood.filter(id => !table.disturbed.has(id) && !given.includes(id))
        assert.deepStrictEqual(missed, [], `walk ${seed} gave ${given.join(" ")}`)
      }
    })
  }

  it("keeps that where rows change between any two questions to the source", {
    timeout: 120_000
  }, async () => {
    for (let seed = 1; seed <= WALKS; seed++) {
      const table = new Table(seed)
      const stood = await table.fill(table.below(14))
      const given: Array<string> = []
      source.intercept(async (request, pass) => {
        if (given.length > 0) await table.disturb(given)
        return pass(request)
      })
      await walk(table, ORDERINGS[seed % ORDERINGS.length], 1 + table.below(4), given)
      source.intercept()
      assert.strictEqual(new Set(given).size, given.length, `walk ${seed} gave ${given.join(" ")}`)
      const missed = stood.filter(id => !table.disturbed.has(id) && !given.includes(id))
      assert.deepStrictEqual(missed, [], `walk ${seed} gave ${given.join(" ")}`)
    }
  })
})
