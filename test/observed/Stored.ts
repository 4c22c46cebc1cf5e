/** The recordings as they are stored: short names, `@name` for an address, one step on a line. */
import { readFileSync } from "node:fs"
import { Schema } from "effect"

export type Value = string | boolean | null | ReadonlyArray<Value> | { readonly [name: string]: Value }

export const Value: Schema.Schema<Value> = Schema.Union(
  Schema.String,
  Schema.Boolean,
  Schema.Null,
  Schema.Array(Schema.suspend(() => Value)),
  Schema.Record({ key: Schema.String, value: Schema.suspend(() => Value) })
)

const Named = Schema.Record({ key: Schema.String, value: Value })
const given = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Revert = Schema.Struct({
  error: Schema.NullOr(Schema.String),
  args: given(Value),
  reason: given(Value),
  note: given(Schema.String)
})

const CallMembers = {
  contract: Schema.String,
  function: Schema.String,
  from: given(Schema.String),
  value: given(Schema.String),
  args: Schema.Array(Value),
  result: given(Value),
  revert: given(Revert),
  at: Schema.Tuple(Schema.String, Schema.String),
  note: given(Schema.String)
}

const Stored = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("read", "simulation"), ...CallMembers }),
  Schema.Struct({
    kind: Schema.Literal("transaction"),
    ...CallMembers,
    logs: given(Schema.Array(Schema.Tuple(Schema.String, Schema.String, Named))),
    balances: given(Schema.Array(Schema.Array(Value)))
  }),
  Schema.Struct({ kind: Schema.Literal("time"), seconds: Schema.String, note: given(Schema.String) }),
  Schema.Struct({ kind: Schema.Literal("preparation"), note: Schema.String })
)

export type Stored = typeof Stored.Type
export type StoredCall = Exclude<Stored, { readonly kind: "time" | "preparation" }>
export type StoredRevert = typeof Revert.Type

const Names = Schema.Record({ key: Schema.String, value: Schema.String })

const Scenario = Schema.Struct({
  scenario: Schema.String,
  chainId: Schema.Number,
  startTimestamp: Schema.NumberFromString,
  note: Schema.String,
  operations: Schema.Array(Schema.String),
  names: Names,
  steps: Schema.Array(Stored)
})

const read = <A, I>(schema: Schema.Schema<A, I>, name: string): A =>
  Schema.decodeUnknownSync(schema)(JSON.parse(readFileSync(`test/observed/recordings/${name}.json`, "utf8")))

export const storedScenario = (scenario: string): typeof Scenario.Type => read(Scenario, scenario)

/** Of every scenario. */
export const sharedNames = read(Names, "names")

const signatures = read(Names, "signatures")

export const signatureOf = (short: string): string => {
  const signature = signatures[short]
  if (signature === undefined) throw new Error(`no recording knows ${short}`)
  return signature
}
