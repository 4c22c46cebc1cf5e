/** Random rows for every entity that hang together: what one row refers to is there, of the same project, chain and version. */
import type { Row } from "../../sandbox/index/Cursors.ts"
import type { Column, Entity, Model, Relation } from "../../sandbox/index/Model.ts"
import type { IndexedSource } from "./IndexedSource.ts"

interface RowsOptions {
  readonly seed?: number
  /** Rows of each entity. */
  readonly count?: number
  readonly chainIds?: ReadonlyArray<number>
  /** Of a hundred rows, how many are of version 5. */
  readonly older?: number
}

type Chance = () => number

/** mulberry32: the same rows for the same seed. */
export const chanceOf = (seed: number): Chance => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const TEXTS = [
  "",
  "plain",
  "100%",
  "under_score",
  "back\\slash",
  "%_\\",
  "Quote \" and ' mark",
  "null",
  "Ünïcödé 🪐",
  "UPPER lower",
  "line\nbreak"
]

const BIGINTS = ["0", "1", "9007199254740993", "1000000000000000000", String(2n ** 256n - 1n)]
const INTS = [0, 1, 7, 18, 2 ** 31 - 1]
const METADATA = [
  { name: "Named", tags: ["a", "b"] },
  { deep: { list: [1, "two", null, true] } },
  [],
  "text",
  5
]
const WORDS = /hash|poolId|root|hashed|uri$/i
const PROJECTS = 4
const NULLS = 0.25

/** What others refer to comes first. */
const FIRST = ["suckerGroup", "project", "wallet", "nftHook", "nftTier", "participant", "buybackPool"]

const inOrder = (model: Model): ReadonlyArray<Entity> => {
  const rank = ({ name }: Entity) =>
    name === "activityEvent" ? 2 : FIRST.includes(name) ? FIRST.indexOf(name) / FIRST.length - 1 : 1
  return [...model.values()].sort((a, b) => rank(a) - rank(b))
}

class Generator {
  readonly #chance: Chance
  readonly #chainIds: ReadonlyArray<number>
  readonly #older: number
  readonly #made = new Map<string, Array<Row>>()
  readonly #keys = new Set<string>()
  #serial = 0

  constructor({ seed = 1, chainIds = [11155111, 84532], older = 25 }: RowsOptions) {
    this.#chance = chanceOf(seed)
    this.#chainIds = chainIds
    this.#older = older
  }

  #below(limit: number): number {
    return Math.floor(this.#chance() * limit)
  }

  #pick<A>(from: ReadonlyArray<A>): A {
    const picked = from[this.#below(from.length)]
    if (picked === undefined) throw new Error("There is nothing to pick from.")
    return picked
  }

  #hex(bytes: number): string {
    return `0x${Array.from({ length: bytes }, () => this.#below(256).toString(16).padStart(2, "0")).join("")}`
  }

  #bigint(name: string): string {
    if (/delta/i.test(name) && this.#chance() < 0.5) return `-${this.#below(10 ** 9) + 1}`
    return this.#chance() < 0.5 ? this.#pick(BIGINTS) : String(BigInt(this.#below(2 ** 31)) ** 3n)
  }

  #int(name: string): number {
    if (name === "version") return this.#chance() * 100 < this.#older ? 5 : 6
    if (name === "chainId") return this.#pick(this.#chainIds)
    if (name === "projectId") return 1 + this.#below(PROJECTS)
    if (/^tick/.test(name)) return this.#below(1_774_544) - 887_272
    return this.#chance() < 0.5 ? this.#pick(INTS) : this.#below(2 ** 31)
  }

  #text(entity: Entity, { name, hex }: Column): string {
    if (hex) return this.#hex(WORDS.test(name) ? 32 : 20)
    if (name === "id") return `${entity.name}-${this.#below(10 ** 6)}-${++this.#serial}`
    return this.#chance() < 0.5 ? this.#pick(TEXTS) : `${this.#pick(TEXTS)} ${this.#below(1000)}`
  }

  #element(entity: Entity, column: Column): unknown {
    if (column.members.length > 0) return this.#pick(column.members)
    if (column.type === "Int") return this.#int(column.name)
    if (column.type === "BigInt") return this.#bigint(column.name)
    if (column.type === "Boolean") return this.#chance() < 0.5
    return column.type === "JSON" ? this.#pick(METADATA) : this.#text(entity, column)
  }

  #value(entity: Entity, column: Column): unknown {
    if (column.nullable && this.#chance() < NULLS) return null
    if (!column.list) return this.#element(entity, column)
    return Array.from({ length: this.#below(4) }, () => this.#element(entity, column))
  }

  /** Columns of the row that another row's identity fills, when there is a fitting one. */
  #reference({ target, join }: Relation, row: Row): Row {
    const fits = (other: Row) =>
      ["chainId", "projectId", "version"].every(
        name => !(name in row && name in other) || row[name] === other[name]
      )
    const others = (this.#made.get(target) ?? []).filter(fits)
    if (others.length === 0) return {}
    const other = this.#pick(others)
    return Object.fromEntries(join.map(([local, remote]) => [local, other[remote] ?? null]))
  }

  #referring(relations: ReadonlyArray<Relation>, row: Row): Row {
    let linked = row
    for (const relation of relations) linked = { ...linked, ...this.#reference(relation, linked) }
    return linked
  }

  #linked(entity: Entity, row: Row): Row {
    const single = entity.relations.filter(({ many }) => !many)
    if (entity.name === "activityEvent") return this.#activity(single, row)
    const narrowest = single.toSorted((a, b) => a.join.length - b.join.length)
    return this.#referring(narrowest, row)
  }

  /** One of its events, as its type says. */
  #activity(relations: ReadonlyArray<Relation>, row: Row): Row {
    const events = relations.filter(({ name, target }) => name === target && !FIRST.includes(name))
    const others = relations.filter(relation => !events.includes(relation))
    const none = Object.fromEntries(events.map(({ name }) => [name, null]))
    const event = this.#pick(events)
    const linked = this.#referring(others, row)
    return {
      ...linked,
      ...none,
      type: row.type === null ? null : event.name,
      ...this.#reference(event, linked)
    }
  }

  row(entity: Entity, fixed: Row = {}): Row {
    const columns = [...entity.columns.values()]
    for (let tries = 0; tries < 1000; tries++) {
      const drawn = Object.fromEntries(columns.map(column => [column.name, this.#value(entity, column)]))
      const row = { ...this.#linked(entity, { ...drawn, ...this.#whole(entity, tries) }), ...fixed }
      const key = JSON.stringify([entity.name, ...entity.key.map(name => row[name])])
      if (this.#keys.has(key)) continue
      this.#keys.add(key)
      this.#made.set(entity.name, [...(this.#made.get(entity.name) ?? []), row])
      return row
    }
    throw new Error(`There are no more keys for ${entity.name}.`)
  }

  /** The first projects that others refer to, and later ones where those are taken. */
  #whole({ name }: Entity, tries: number): Row {
    return name === "project" && tries > 3 ? { projectId: PROJECTS + this.#below(10_000) } : {}
  }
}

const EMPTY: Readonly<Record<string, unknown>> = { Int: 0, BigInt: "0", Boolean: false, String: "" }

/** A row of version 6 with nothing in it but what is given. */
export const plainRow = (model: Model, entity: string, given: Row): Row => {
  const columns = [...(model.get(entity)?.columns.values() ?? [])]
  const empty = columns.map(({ name, nullable, list, type }) => [
    name,
    nullable ? null : list ? [] : EMPTY[type]
  ])
  return { ...Object.fromEntries(empty), version: 6, ...given }
}

const randomRows = (model: Model, options: RowsOptions = {}): ReadonlyMap<string, ReadonlyArray<Row>> => {
  const generator = new Generator(options)
  const count = options.count ?? 40
  return new Map(
    inOrder(model).map(entity => [entity.name, Array.from({ length: count }, () => generator.row(entity))])
  )
}

/** Fills every table, and answers with what it put there. */
export const fillRandomly = async (
  source: IndexedSource,
  options: RowsOptions = {}
): Promise<ReadonlyMap<string, ReadonlyArray<Row>>> => {
  const rows = randomRows(source.model, options)
  for (const [entity, some] of rows) await source.insert(entity, some)
  return rows
}
