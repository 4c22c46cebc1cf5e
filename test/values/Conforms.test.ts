import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Either, FastCheck, Schema } from "effect"
import { Account, BotGrant, Profile } from "../../src/accounts/Account.ts"
import { Judged } from "../../src/accounts/LedgerVerdict.ts"
import { Plan } from "../../src/plans/Plan.ts"
import { decoder, encoder, rowDecoder } from "../../src/values/Conforms.ts"
import { Bytes32, Uint256 } from "../../src/values/Scalars.ts"
import { strict } from "../../src/values/Strict.ts"

const account = {
  id: "eip155:1:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  ownerAddress: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  authorityChainId: 1,
  profile: { displayName: "Ada", bio: "", avatarUri: null },
  createdAt: 1,
  updatedAt: 2
}

const Open = Schema.Struct({ kept: Schema.String })
const Optional = strict({
  may: Schema.optional(Schema.Number),
  exact: Schema.optionalWith(Bytes32, { exact: true })
})
const Transformed = strict({ at: Schema.NumberFromString })
const Either2 = Schema.Union(
  strict({ kind: Schema.Literal("a") }),
  strict({ kind: Schema.Literal("b"), of: Uint256 })
)

const word = `0x${"ab".repeat(32)}`
const transaction = {
  hash: word,
  sender: account.ownerAddress,
  chainId: 1,
  nonce: "0",
  type: "eip1559",
  gas: "21000",
  maximumFeePerGas: "1",
  maximumCost: "21000",
  costScope: "all"
}
const receipt = {
  transactionHash: word,
  blockHash: word,
  blockNumber: "7",
  status: "success",
  confirmations: 2,
  finality: "safe",
  canonical: true,
  observedAt: 1,
  logs: [],
  logCount: 1,
  logsHash: word,
  logsStored: false
}
const wholePlan = {
  id: "6c7f1c1e-0c62-4d2e-9a53-3a1c5b1f0a11",
  operation: "contract_calls",
  account: account.ownerAddress,
  project: { chainId: 1, projectId: "1", version: 6 },
  summary: { any: [1] },
  calls: [
    {
      chainId: 1,
      to: account.ownerAddress,
      data: "0x",
      value: "0",
      label: "a call",
      dependsOn: [],
      decoded: { contractId: "a", abiHash: "b", function: "c()", args: [] }
    }
  ],
  evidence: [{ chainId: 1, blockNumber: "6", blockHash: word, timestamp: "5", source: "onchain" }],
  warnings: ["one"],
  commitment: word,
  createdAt: 1,
  expiresAt: 2,
  revision: 3,
  status: "transactions_confirmed",
  steps: [
    {
      index: 0,
      state: "confirmed",
      blockedBy: [],
      dispatch: { status: "submitted", hash: word, count: 1, reservedAt: 1, broadcastAt: 1 },
      transaction,
      execution: { transport: "signed-eoa-transaction", bindingId: "a", chainId: 1, hash: word },
      receipt,
      semantic: { status: "verified", verifier: "pay", events: [{}] }
    }
  ],
  costScope: "all",
  confirmationScope: "own"
}

const Empty = strict({ none: Schema.Tuple() })
const Pairs = strict({
  pair: Schema.Tuple(Schema.String, Schema.Number),
  rest: Schema.Tuple([Schema.String], Schema.Number),
  one: Schema.Tuple(Schema.optionalElement(Schema.Number))
})

const schemas: ReadonlyArray<Schema.Schema.AnyNoContext> = [
  Account,
  BotGrant,
  Profile,
  Judged,
  Open,
  Optional,
  Transformed,
  Either2,
  Empty,
  Pairs,
  strict({}),
  Schema.Struct({}),
  Schema.Array(Account)
]

/** Values of all kinds, many of them near to a right one. */
const nearly = FastCheck.oneof(
  FastCheck.constant(account),
  FastCheck.anything(),
  FastCheck.tuple(
    FastCheck.constantFrom(...Object.keys(account), "profile.bio", "more"),
    FastCheck.oneof(FastCheck.anything(), FastCheck.constantFrom(undefined, null, "", -1, 1.5, {}))
  ).map(([path, value]) => {
    const copy: Record<string, unknown> = { ...account, profile: { ...account.profile } }
    if (path === "profile.bio") copy.profile = { ...account.profile, bio: value }
    else copy[path] = value
    return copy
  }),
  FastCheck.record(
    {
      kind: FastCheck.constantFrom("a", "b", "c"),
      of: FastCheck.constantFrom("1", "01", 1),
      more: FastCheck.nat()
    },
    { requiredKeys: [] }
  ),
  FastCheck.record(
    {
      may: FastCheck.constantFrom(1, undefined, "1"),
      exact: FastCheck.constantFrom(`0x${"ab".repeat(32)}`, undefined)
    },
    { requiredKeys: [] }
  ),
  FastCheck.record({ none: FastCheck.constantFrom([], [1], [undefined], {}, "", null) }),
  FastCheck.record({
    pair: FastCheck.constantFrom(["a", 1], ["a"], ["a", "b"], ["a", 1, 2], [undefined, 1], {}, "ab"),
    rest: FastCheck.constantFrom(["a"], ["a", 1, 2], ["a", "b"], []),
    one: FastCheck.constantFrom([], [1], [undefined], ["a"])
  }),
  FastCheck.record({ kept: FastCheck.string(), dropped: FastCheck.nat() }, { requiredKeys: ["kept"] })
)

const untagged = <A>(result: Either.Either<A, unknown>) =>
  Either.isRight(result) ? { right: result.right } : { left: true }

describe("the quick way", () => {
  const compare = <A, I>(schema: Schema.Schema<A, I>) => {
    const [decode, decodeSlowly] = [decoder(schema), Schema.decodeUnknownEither(schema)]
    const [encode, encodeSlowly] = [encoder(schema), Schema.encodeUnknownEither(schema)]
    FastCheck.assert(
      FastCheck.property(nearly, value => {
        expect(untagged(decode(value))).toEqual(untagged(decodeSlowly(value)))
        expect(untagged(encode(value as A))).toEqual(untagged(encodeSlowly(value)))
      }),
      { numRuns: 1_000 }
    )
  }

  it("says exactly what the schema says", () => {
    for (const schema of schemas) compare<unknown, unknown>(schema)
  })

  it("gives a conforming record back as it is, and one with more members as the schema would", () => {
    expect(Either.getOrThrow(encoder(Account)(account as Account))).toBe(account)
    expect(Either.getOrThrow(decoder(Open)({ kept: "a", dropped: 1 }))).toEqual({ kept: "a" })
    expect(Either.isLeft(decoder(Account)({ ...account, more: 1 }))).toBe(true)
    expect(Either.getOrThrow(decoder(Transformed)({ at: "7" }))).toEqual({ at: 7 })
  })

  it("gives a plan with all that it may hold back as it is", () => {
    const plan = Schema.decodeUnknownSync(Plan)(wholePlan)
    expect(Either.getOrThrow(encoder(Plan)(plan))).toBe(plan)
    expect(Either.isLeft(encoder(Plan)({ ...plan, more: 1 } as Plan))).toBe(true)
  })

  it("takes of a row the columns that the schema names, all of them", () => {
    const decode = rowDecoder(strict({ id: Schema.String, revision: Schema.Number }))
    expect(Either.getOrThrow(decode({ id: "a", revision: 1, key_plan: "b" }))).toEqual({
      id: "a",
      revision: 1
    })
    for (const row of [{ id: "a" }, { id: 1, revision: 1 }, {}, undefined, null, "row"])
      expect(Either.isLeft(decode(row))).toBe(true)
  })

  it("refuses for a tag what cannot be made text, as anything else that is no tag", () => {
    const either = decoder(
      Schema.Union(strict({ of: Schema.Literal("a") }), strict({ of: Schema.Literal("b") }))
    )
    for (const of of [{ toString: 1 }, { toString: 1, valueOf: 1 }, Object.create(null), "c"])
      expect(Either.isLeft(either({ of }))).toBe(true)
    expect(Either.getOrThrow(either({ of: "b" }))).toEqual({ of: "b" })
  })

  it("agrees on what a schema itself would write", () => {
    FastCheck.assert(
      FastCheck.property(Arbitrary.make(Judged), judged => {
        expect(Either.getOrThrow(decoder(Judged)(judged))).toEqual(judged)
      })
    )
  })
})
