import { encodeAbiParameters, parseAbiParameters } from "viem"
import { assert, describe, it } from "vitest"
import { laterDeployment } from "../../src/catalog/LaterRollout.ts"
import type { RawLog } from "../../src/chain/ChainClient.ts"
import { ROUTER, TIERS_HOOK } from "./support/ContractIds.ts"
import { sendPayouts } from "./support/PayoutScenarios.ts"
import {
  catalog,
  deployment,
  type Fields,
  HASH,
  judged,
  logsOf,
  OTHER,
  otherLog,
  POOL
} from "./support/Receipts.ts"
import {
  payRoutedForTiers,
  payRoutedNative,
  payRoutedToken,
  setPool,
  setPoolByKey
} from "./support/RoutingScenarios.ts"

const { call, emissions } = payRoutedNative

const ledBy = (caller: string) =>
  logsOf(emissions.map(each => ({ ...each, fields: { ...each.fields, payer: caller, caller } })))

/** Of a gateway, wherever it stands. */
const queued = {
  ...otherLog(9),
  topics: ["0x8131cd0f63546f8658cbaa14c29ab0ef4f0a89c1d59772c843ef73605e358f25"] as const
}

const OF_QUEUED = parseAbiParameters(
  "(uint256 amount, bool preferAddToBalance, bool shouldReturnHeldFees, address beneficiary, uint256 projectId, address refundTo, uint256 sourceProjectId, address token) call, string memo, bytes metadata, bytes32 errorHash, address caller"
)

const queuedFor = (projectId: bigint, sourceProjectId: bigint) => ({
  ...queued,
  topics: [...queued.topics, HASH],
  data: encodeAbiParameters(OF_QUEUED, [
    {
      amount: 5n,
      preferAddToBalance: false,
      shouldReturnHeldFees: false,
      beneficiary: OTHER,
      projectId,
      refundTo: OTHER,
      sourceProjectId,
      token: OTHER
    },
    "memo",
    "0x12",
    HASH,
    OTHER
  ])
})

describe("a routed payment", () => {
  it("is verified through routers of every generation, and through nothing else", () => {
    const later = ["JBRouterTerminal", "JBRouterTerminalGateway"].map(
      name => laterDeployment(1, name)?.address ?? assert.fail(name)
    )
    const routers = [...catalog.deployments(1, ROUTER).map(({ address }) => address), ...later]
    assert.isAbove(routers.length, 1)
    for (const router of routers) assert.strictEqual(judged(call, ledBy(router)).status, "verified")
    assert.deepInclude(judged(call, ledBy(OTHER)), {
      status: "unknown",
      reason: "no router's Pay event is about this call"
    })
  })

  it("is in doubt where a gateway keeps the money, wherever the gateway stands", () => {
    assert.deepInclude(judged(call, [...logsOf(emissions), queued]), {
      status: "unknown",
      reason: "a gateway keeps the money of a routed payment that failed"
    })
  })

  it("is in no doubt for what a gateway keeps of another project's, as far as that can be read", () => {
    const other = queuedFor(1n, 3n)
    const beside = (log: RawLog) => judged(call, [...logsOf(emissions), log]).status
    assert.strictEqual(beside(other), "verified")
    for (const log of [queuedFor(2n, 0n), queuedFor(1n, 2n)]) assert.strictEqual(beside(log), "unknown")
    for (const unread of [
      { ...other, topics: queued.topics },
      { ...other, data: `${other.data}00` as const },
      { ...other, data: "0x" as const }
    ])
      assert.strictEqual(beside(unread), "unknown")
  })
})

describe("a routed payment beside another one of its project", () => {
  const beside = (fields: Fields) =>
    judged(
      call,
      logsOf([...emissions, ...emissions.map(each => ({ ...each, fields: { ...each.fields, ...fields } }))])
    )

  it("is the one for its beneficiary, with its memo and metadata", () => {
    for (const fields of [{ beneficiary: OTHER }, { memo: "" }, { metadata: "0x" }])
      assert.strictEqual(beside(fields).status, "verified", JSON.stringify(fields))
  })

  it("is told from none that says all the same", () => {
    assert.deepInclude(beside({ amount: "1" }), {
      status: "unknown",
      reason: "several routers' Pay events are about this call"
    })
  })
})

describe("a routed payment with a minimum", () => {
  const asked = payRoutedToken
  const beneath = {
    status: "unknown",
    reason: "the MintTokens events do not add up to the minimum"
  } as const
  const issuing = (...issued: ReadonlyArray<Fields>) =>
    judged(
      asked.call,
      logsOf(
        asked.emissions.flatMap(each =>
          each.event === "MintTokens"
            ? issued.map(fields => ({ ...each, fields: { ...each.fields, ...fields } }))
            : [each]
        )
      )
    )
  const ofCount = (beneficiaryTokenCount: string) => ({ beneficiaryTokenCount })

  it("is in doubt where the terminal got a part alone, and another one the rest", () => {
    for (const judgement of [issuing(), issuing(ofCount("4")), issuing(ofCount("2"), ofCount("2"))])
      assert.deepInclude(judgement, beneath)
  })

  it("is verified by what the beneficiary got in all, whoever had it issued", () => {
    const { status, events = [] } = issuing({ ...ofCount("3"), caller: OTHER }, ofCount("2"))
    assert.strictEqual(status, "verified")
    assert.includeDeepMembers(
      [...events],
      ["3", "2"].map(count => ({ event: "MintTokens", ...ofCount(count) }))
    )
  })

  it("is in doubt where another one got tokens, or tokens of another project", () => {
    assert.deepInclude(issuing({ beneficiary: OTHER }), beneath)
    assert.deepInclude(issuing({ projectId: "3" }), beneath)
  })
})

describe("payouts of which one is routed", () => {
  it("are in doubt where a gateway keeps the money of a split", () => {
    const logs = logsOf(sendPayouts.emissions)
    assert.strictEqual(judged(sendPayouts.call, logs).status, "verified")
    assert.deepInclude(judged(sendPayouts.call, [...logs, queued]), {
      status: "unknown",
      reason: "a gateway keeps the money of a split's payment that failed"
    })
  })
})

describe("a routed payment for tiers", () => {
  const tiered = payRoutedForTiers
  const only = logsOf(tiered.emissions.filter(({ event }) => event === "Pay"))

  it("is unknown where the shop minted nothing", () => {
    const { status, reason } = judged(tiered.call, only)
    assert.deepStrictEqual([status, reason], ["unknown", "0 tokens were minted instead of 2"])
  })

  it("is proved by the hook that its plan keeps, which the terminal called and not the registry", () => {
    const logs = logsOf(tiered.emissions)
    const by = (summary: unknown) => judged(tiered.call, logs, { summary }).status
    const shop = deployment(TIERS_HOOK).address
    assert.strictEqual(by({ routeEvidence: { shop } }), "verified")
    for (const summary of [{ routeEvidence: { shop: OTHER } }, { routeEvidence: { shop: null } }, null])
      assert.strictEqual(by(summary), "unknown")
    const called = tiered.emissions.map(each =>
      each.event === "Mint" ? { ...each, fields: { ...each.fields, caller: tiered.call.to } } : each
    )
    assert.strictEqual(judged(tiered.call, logsOf(called)).status, "unknown")
  })
})

describe("the longest window", () => {
  const stored = (newWindow: string) =>
    logsOf(
      setPoolByKey.emissions.map(each =>
        each.event === "TwapWindowChanged" ? { ...each, fields: { ...each.fields, newWindow } } : each
      )
    )

  it("may be stored as it is or as half an hour", () => {
    const statuses = ["172800", "1800", "1801"].map(
      seconds => judged(setPoolByKey.call, stored(seconds)).status
    )
    assert.deepStrictEqual(statuses, ["verified", "verified", "unknown"])
  })
})

describe("a pool", () => {
  it("is the one that the plan showed; a plan that showed none leaves the choice to the hook", () => {
    const chosen = (summary: unknown) => judged(setPool.call, logsOf(setPool.emissions), { summary }).status
    assert.strictEqual(chosen({ poolId: POOL }), "verified")
    assert.strictEqual(chosen({ poolId: `0x${"78".repeat(32)}` }), "unknown")
    for (const summary of [undefined, null, { kind: "contract_calls", calls: 1 }, { poolId: "0x77" }])
      assert.strictEqual(chosen(summary), "verified")
  })
})
