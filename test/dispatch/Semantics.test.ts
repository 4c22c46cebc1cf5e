import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi } from "viem"
import { assert, describe, it } from "vitest"
import type { RawLog } from "../../src/chain/ChainClient.ts"
import { verifyEffects } from "../../src/dispatch/semantics/installed.ts"
import type { Call } from "../../src/plans/Plan.ts"

const TERMINAL = "0x52908400098527886E0F7030069857D2E4169EE7"
const ACCOUNT = "0x8617E340B3D01FA5F11F306F4090FD50E238070D"
const BENEFICIARY = "0xde709f2102306220921060314715629080e2fb77"
const NATIVE = "0x000000000000000000000000000000000000EEEe"
const TOKEN = "0x27b1fdb04752bbc536007a920d24acb045561c26"
const HASH = `0x${"11".repeat(32)}` as const
const BLOCK = `0x${"22".repeat(32)}` as const

const abi = parseAbi([
  "event Pay(uint256 indexed rulesetId, uint256 indexed rulesetCycleNumber, uint256 indexed projectId, address payer, address beneficiary, uint256 amount, uint256 newlyIssuedTokenCount, string memo, bytes metadata, address caller)"
])

interface Payment {
  readonly projectId: bigint
  readonly payer: Hex
  readonly beneficiary: Hex
  readonly amount: bigint
  readonly issued: bigint
  readonly memo: string
  readonly metadata: Hex
  readonly caller: Hex
}

const payment: Payment = {
  projectId: 2n,
  payer: ACCOUNT,
  beneficiary: BENEFICIARY,
  amount: 1_000n,
  issued: 5n,
  memo: "thänks",
  metadata: "0xAB",
  caller: ACCOUNT
}

const payLog = (over: Partial<Payment> = {}, raw: Partial<RawLog> = {}): RawLog => {
  const { projectId, payer, beneficiary, amount, issued, memo, metadata, caller } = { ...payment, ...over }
  const args = { rulesetId: 1n, rulesetCycleNumber: 1n, projectId }
  const types = ["address", "address", "uint256", "uint256", "string", "bytes", "address"].map(type => ({
    type
  }))
  return {
    address: `0x${TERMINAL.slice(2).toLowerCase()}`,
    blockHash: BLOCK,
    blockNumber: "0x1",
    data: encodeAbiParameters(types, [payer, beneficiary, amount, issued, memo, metadata, caller]),
    logIndex: "0x0",
    topics: encodeEventTopics({ abi, eventName: "Pay", args }).flatMap(topic =>
      typeof topic === "string" ? [topic] : []
    ),
    transactionHash: HASH,
    transactionIndex: "0x0",
    ...raw
  }
}

const payCall = (over: Partial<Call> = {}, token = NATIVE): Call => ({
  chainId: 1,
  to: TERMINAL,
  data: "0x",
  value: token === NATIVE ? "1000" : "0",
  label: "",
  dependsOn: [],
  decoded: {
    contractId: "core:src/JBMultiTerminal.sol:JBMultiTerminal",
    abiHash: HASH,
    function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
    args: ["2", token, "1000", BENEFICIARY, "0", "thänks", "0xab"]
  },
  ...over
})

const judged = (logs: ReadonlyArray<RawLog>, call = payCall()) =>
  verifyEffects({ call, account: ACCOUNT, receipt: { transactionHash: HASH, blockHash: BLOCK }, logs })

const other = (index: number, data: Hex = "0x"): RawLog =>
  payLog({}, { address: TOKEN, topics: [HASH], data, logIndex: `0x${index.toString(16)}` })

describe("a payment", () => {
  it("is verified by its one event among others", () => {
    assert.deepStrictEqual(judged([other(1), payLog(), other(2)]), {
      status: "verified",
      verifier: "pay",
      events: [
        {
          event: "Pay",
          projectId: "2",
          beneficiary: "0xde709f2102306220921060314715629080e2fb77",
          amount: "1000",
          newlyIssuedTokenCount: "5"
        }
      ]
    })
  })

  it.each<[string, ReadonlyArray<RawLog>]>([
    ["no event", []],
    ["another project", [payLog({ projectId: 3n })]],
    ["another payer", [payLog({ payer: BENEFICIARY })]],
    ["another caller", [payLog({ caller: BENEFICIARY })]],
    ["another beneficiary", [payLog({ beneficiary: ACCOUNT })]],
    ["another memo", [payLog({ memo: "thanks" })]],
    ["other metadata", [payLog({ metadata: "0xac" })]],
    ["an event of another contract", [payLog({}, { address: TOKEN })]],
    ["another event", [payLog({}, { topics: [HASH, ...payLog().topics.slice(1)] })]],
    ["cut data", [payLog({}, { data: `0x${payLog().data.slice(2, 130)}` })]],
    ["a missing topic", [payLog({}, { topics: payLog().topics.slice(0, 3) })]],
    ["two events", [payLog(), payLog({}, { logIndex: "0x1" })]]
  ])("is not proved by %s", (_, logs) => {
    assert.strictEqual(judged(logs).status, "unknown")
  })

  it("failed when the amount is another", () => {
    assert.strictEqual(judged([payLog({ amount: 999n })]).status, "failed")
    assert.strictEqual(judged([payLog({ amount: 1_001n })]).status, "failed")
  })

  it("takes at most the planned amount of a token, which may charge for its transfer", () => {
    const call = payCall({}, TOKEN)
    assert.strictEqual(judged([payLog({ amount: 990n })], call).status, "verified")
    assert.strictEqual(judged([payLog()], call).status, "verified")
    assert.strictEqual(judged([payLog({ amount: 1_001n })], call).status, "failed")
    assert.strictEqual(judged([payLog({ amount: 0n })], call).status, "failed")
  })
})

describe("logs", () => {
  const doubts: ReadonlyArray<readonly [string, ReadonlyArray<RawLog>]> = [
    ["one index twice", [payLog(), other(0)]],
    ["another transaction", [payLog(), payLog({}, { logIndex: "0x1", transactionHash: BLOCK })]],
    ["another block", [payLog(), payLog({}, { logIndex: "0x1", blockHash: HASH })]],
    ["too many", [payLog(), ...Array.from({ length: 2_048 }, (_, index) => other(index + 1))]],
    ["too large", [payLog(), other(1, `0x${"00".repeat(262_144)}`)]]
  ]

  it.each(doubts)("in doubt prove nothing: %s", (_, logs) => {
    assert.strictEqual(judged(logs).status, "unknown")
  })

  it("are judged up to their bound", () => {
    const most = [payLog(), ...Array.from({ length: 1_000 }, (_, index) => other(index + 1))]
    assert.strictEqual(judged(most).status, "verified")
  })
})

describe("a call without a predicate", () => {
  it.each([
    ["another function", { function: "addToBalanceOf(uint256,address,uint256,bool,string,bytes)" }],
    ["another contract", { contractId: "core:src/Other.sol:OtherTerminal" }]
  ])("is unmodeled: %s", (_, over) => {
    const { decoded } = payCall()
    assert.deepStrictEqual(judged([], payCall({ decoded: { ...decoded, ...over } })), { status: "unmodeled" })
  })

  it("is in doubt all the same when its logs are", () => {
    const { decoded } = payCall()
    const call = payCall({ decoded: { ...decoded, function: "other()" } })
    assert.strictEqual(judged([other(0), other(0)], call).status, "unknown")
  })
})
