import { assert, describe, it } from "vitest"
import { ServiceProblem } from "../../src/client/Errors.ts"
import type { ReadResult } from "../../src/protocol/ProtocolSchemas.ts"
import { clonesOf, proveClone, readToken, tokensOf } from "../../src/review/GatherFacts.ts"
import type { Problem } from "../../src/values/Problem.ts"
import { CLONE_FAMILY } from "./support/CloneFamily.ts"
import { callOf, contract, NATIVE, OTHER, planOf, WALLET } from "./support/Reviews.ts"

type Query = { readonly function: string; readonly projectId?: string | undefined }

const TOKEN = { key: "k", chainId: 31_337, address: OTHER, projectId: "2" } as const

const answer = (address: `0x${string}`, value: unknown): ReadResult => ({
  chainId: 31_337,
  contractId: "c",
  address,
  abiHash: "aa".repeat(32),
  provenance: {
    kind: "published-deployment",
    source: "sandbox",
    alias: "a",
    packageVersion: null,
    generation: "current",
    retired: false,
    receipt: { transactionHash: `0x${"11".repeat(32)}`, blockNumber: 1 },
    runtimeCodeHash: `0x${"22".repeat(32)}`,
    runtimeVerified: true
  },
  evidence: [
    {
      chainId: 31_337,
      blockNumber: "1",
      blockHash: `0x${"33".repeat(32)}`,
      timestamp: "1",
      source: "onchain"
    }
  ],
  function: "f",
  args: [],
  outputs: [{ name: null, type: "string", value }]
})

const problem = (status: number): ServiceProblem => {
  const body: Problem = {
    type: "t",
    title: "t",
    status,
    detail: "d",
    code: "TARGET_UNVERIFIED",
    requestId: "r",
    retryable: false
  }
  return new ServiceProblem(body, undefined)
}

const reader = (address: `0x${string}` = OTHER, decimals: unknown = "6") => ({
  read: async (query: Query) => answer(address, query.function === "symbol()" ? "DEMO" : decimals)
})

describe("a token that an amount names", () => {
  it("is known by what the chain says of the project's own token", async () => {
    assert.deepStrictEqual(await readToken(reader(), TOKEN), { decimals: 6, symbol: "DEMO" })
  })

  it("stays unknown where the project's token is another one or says nonsense", async () => {
    assert.isUndefined(await readToken(reader(WALLET), TOKEN))
    for (const decimals of ["256", "1.5", "six", null, "-1"])
      assert.isUndefined(await readToken(reader(OTHER, decimals), TOKEN), String(decimals))
  })

  it("stays unknown where the service cannot prove it, and an outage is an outage", async () => {
    const refusing = (status: number) => ({ read: () => Promise.reject(problem(status)) })
    assert.isUndefined(await readToken(refusing(422), TOKEN))
    const failure = await readToken(refusing(502), TOKEN).catch((cause: unknown) => cause)
    assert.instanceOf(failure, ServiceProblem)
  })

  it("has the decimals that it says of itself where the service cannot prove it", async () => {
    const asked: Array<unknown> = []
    const readerOf = (context: unknown) => ({
      read: async ({ function: name, args }: Query & { readonly args: ReadonlyArray<unknown> }) => {
        if (name !== "accountingContextForTokenOf(uint256,address)") throw problem(422)
        asked.push(args)
        return answer(WALLET, context)
      }
    })
    const context = { token: OTHER, decimals: "6", currency: "1" }
    assert.deepStrictEqual(await readToken(readerOf(context), TOKEN), { decimals: 6 })
    assert.deepStrictEqual(asked, [["0", OTHER]])
    for (const wrong of [{ ...context, token: WALLET }, { ...context, decimals: "256" }, null])
      assert.isUndefined(await readToken(readerOf(wrong), TOKEN))
  })

  it("is looked up once, with the project of the call, and the native one not at all", async () => {
    const terminal = contract("Terminal", ["function pay(uint256 projectId, address token, uint256 amount)"])
    const pay = (token: string) => callOf(terminal, [2n, token, 5n], ["2", token, "5"])
    const plan = await planOf([pay(OTHER), pay(NATIVE), pay(OTHER)])
    assert.deepStrictEqual(tokensOf(new Map([[terminal.detail.id, terminal.detail]]), plan), [
      { key: `31337:${OTHER.toLowerCase()}`, chainId: 31_337, address: OTHER, projectId: "2" }
    ])
  })
})

describe("a clone that a plan calls", () => {
  const CLONE = { key: "k", chainId: 31_337, contractId: "c", address: OTHER } as const
  const resolver = (address: `0x${string}`) => ({ resolve: async () => answer(address, null) })

  it("is proved only by the service's own proof of exactly this address", async () => {
    assert.isTrue(await proveClone(resolver(OTHER), CLONE))
    assert.isFalse(await proveClone(resolver(WALLET), CLONE))
    const refusing = (status: number) => ({ resolve: () => Promise.reject(problem(status)) })
    assert.isFalse(await proveClone(refusing(422), CLONE))
    for (const status of [401, 429, 502]) {
      const failure = await proveClone(refusing(status), CLONE).catch((cause: unknown) => cause)
      assert.instanceOf(failure, ServiceProblem)
    }
  })

  it("is one that no published address explains", async () => {
    const token = contract("Token", ["function poke(uint256 x)"], { cloneFamilies: [CLONE_FAMILY] })
    const calls = [callOf(token, [1n], ["1"], { to: OTHER }), callOf(token, [1n], ["1"])]
    const found = clonesOf(new Map([[token.detail.id, token.detail]]), await planOf(calls))
    assert.deepStrictEqual(
      found.map(({ address }) => address),
      [OTHER]
    )
  })
})
