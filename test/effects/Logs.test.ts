import { assert, describe, it } from "vitest"
import type { RawLog } from "../../src/chain/ChainClient.ts"
import { cashOut } from "./support/CashOutScenarios.ts"
import { FORWARDER, PROJECTS, TERMINAL, TOKEN } from "./support/ContractIds.ts"
import { payNative } from "./support/PaymentScenarios.ts"
import { drawOf, sendPayouts, split, useAllowance } from "./support/PayoutScenarios.ts"
import { approval } from "./support/PermissionScenarios.ts"
import {
  ACCOUNT,
  BLOCK,
  callTo,
  type Emission,
  type Fields,
  HASH,
  HOLDER,
  judged,
  logOf,
  logsOf,
  OTHER,
  otherLog
} from "./support/Receipts.ts"
import { autoIssue, convertedRevnet, turnedSuckers } from "./support/RevnetScenarios.ts"
import { launchProject, manyQueued } from "./support/RulesetScenarios.ts"
import { controllerAddress } from "./support/Scenario.ts"
import { launchShopWithoutTiers } from "./support/ShopScenarios.ts"

const [paid] = logsOf(payNative.emissions)
const payment: RawLog = paid ?? assert.fail("no payment")
const pay = payNative.call
const MEMO = Buffer.from("thänks").toString("hex")

describe("logs", () => {
  const others = (count: number) => Array.from({ length: count }, (_, index) => otherLog(index + 1))

  it.each<[string, ReadonlyArray<RawLog>]>([
    ["one index twice", [payment, otherLog(0)]],
    ["another transaction", [payment, { ...otherLog(1), transactionHash: BLOCK }]],
    ["another block", [payment, { ...otherLog(1), blockHash: HASH }]],
    ["another height", [payment, { ...otherLog(1), blockNumber: "0x2" }]],
    ["too many", [payment, ...others(2_048)]],
    ["too large", [payment, otherLog(1, `0x${"00".repeat(262_144)}`)]]
  ])("in doubt prove nothing: %s", (_, logs) => {
    const { status, verifier } = judged(pay, logs)
    assert.deepStrictEqual([status, verifier], ["unknown", undefined])
  })

  it("are judged up to their bounds", () => {
    assert.strictEqual(judged(pay, [payment, ...others(1_000)]).status, "verified")
    assert.strictEqual(judged(pay, [payment, otherLog(1, `0x${"00".repeat(250_000)}`)]).status, "verified")
  })
})

describe("a call without a predicate", () => {
  it.each([
    ["another function", callTo(TERMINAL, "processHeldFeesOf(uint256,address,uint256)", ["2", OTHER, "1"])],
    ["the same function of another contract", callTo(PROJECTS, "approve(address,uint256)", [OTHER, "2"])],
    [
      "a contract of another package",
      { ...pay, decoded: { ...pay.decoded, contractId: "a:b.sol:JBMultiTerminal" } }
    ]
  ])("is unmodeled: %s", (_, call) => {
    assert.deepStrictEqual(judged(call, [payment]), { status: "unmodeled" })
  })

  it("is in doubt all the same when its logs are", () => {
    const call = callTo(PROJECTS, "approve(address,uint256)", [OTHER, "2"])
    assert.strictEqual(judged(call, [otherLog(0), otherLog(0)]).status, "unknown")
  })
})

describe("a target", () => {
  it("that is another contract of the catalog is not the one that was called", () => {
    const { to } = callTo(PROJECTS, "approve(address,uint256)", [OTHER, "2"])
    assert.strictEqual(judged({ ...pay, to }, [payment]).status, "unknown")
  })

  it("of another chain is none of this one's", () => {
    assert.strictEqual(judged({ ...pay, chainId: 137 }, [payment]).status, "unknown")
  })

  it("may be any token that the plan names, and only its events count", () => {
    const call = { ...callTo(TOKEN, "approve(address,uint256)", [cashOut.call.to, "1000"]), to: OTHER }
    const emission = {
      ...approval("1000"),
      fields: { owner: ACCOUNT, spender: cashOut.call.to, value: "1000" }
    }
    const log = logOf(emission)
    assert.strictEqual(judged(call, [log]).status, "unknown")
    assert.strictEqual(judged(call, [{ ...log, address: otherLog(0).address }]).status, "verified")
  })
})

describe("an event that cannot be read", () => {
  const payOf = (projectId: string): Emission => {
    const [emission] = payNative.emissions
    return emission === undefined
      ? assert.fail("no payment")
      : { ...emission, fields: { ...emission.fields, projectId } }
  }
  const unreadable = (projectId: string): RawLog => {
    const log = logOf(payOf(projectId), 1)
    return { ...log, data: `0x${log.data.slice(2).replace(MEMO, `ff${MEMO.slice(2)}`)}` }
  }

  it("is no matter where its topics are about something else, and is doubt where they are not", () => {
    assert.strictEqual(judged(pay, [payment, unreadable("153")]).status, "verified")
    const { status, reason } = judged(pay, [payment, unreadable("2")])
    assert.deepStrictEqual([status, reason], ["unknown", "a Pay event cannot be read"])
  })
})

describe("an allowance written more than once", () => {
  const call = callTo(TOKEN, "approve(address,uint256)", [String(approval("1").fields.spender), "1000"])
  const written = (...values: ReadonlyArray<string>) => judged(call, logsOf(values.map(approval))).status

  it("is what was written last", () => {
    assert.strictEqual(written("0", "1000"), "verified")
    assert.strictEqual(written("1000", "0"), "unknown")
    assert.strictEqual(written("1000", "0", "1000"), "unknown")
    assert.strictEqual(written("1", "2"), "unknown")
    assert.strictEqual(written("1"), "unknown")
  })
})

describe("payouts in part", () => {
  const came: ReadonlyArray<Emission> = [
    {
      contractId: TERMINAL,
      event: "PayoutReverted",
      fields: { projectId: "2", split, amount: "500", reason: "0x", caller: ACCOUNT }
    },
    {
      contractId: TERMINAL,
      event: "PayoutTransferReverted",
      fields: {
        projectId: "2",
        addr: OTHER,
        token: OTHER,
        amount: "5",
        fee: "0",
        reason: "0x",
        caller: ACCOUNT
      }
    }
  ]

  it.each(came)("are in doubt: $event", emission => {
    const { status, reason } = judged(sendPayouts.call, logsOf([...sendPayouts.emissions, emission]))
    assert.deepStrictEqual([status, reason], ["unknown", "a payout came back to the project"])
  })

  it.each(came)("of another project are no matter: $event", emission => {
    const foreign = { ...emission, fields: { ...emission.fields, projectId: "3" } }
    assert.strictEqual(
      judged(sendPayouts.call, logsOf([...sendPayouts.emissions, foreign])).status,
      "verified"
    )
  })

  it("are in doubt beside another request of the wallet, whose event it may be", () => {
    const executed = (nonce: string, signer = ACCOUNT): Emission => ({
      contractId: FORWARDER,
      event: "ExecutedForwardRequest",
      fields: { signer, nonce, success: true }
    })
    const among = (...more: ReadonlyArray<Emission>) =>
      judged(sendPayouts.call, logsOf([...sendPayouts.emissions, executed("0"), ...more]))
    assert.strictEqual(among().status, "verified")
    assert.strictEqual(among(executed("1", OTHER)).status, "verified")
    const { status, reason } = among(executed("1"))
    assert.strictEqual(status, "unknown")
    assert.include(reason, "several of the wallet's requests")
  })

  it("to many splits are counted and hashed instead of listed", () => {
    const [row, sent] = sendPayouts.emissions
    if (row === undefined || sent === undefined) return assert.fail("no events")
    const { status, events } = judged(
      sendPayouts.call,
      logsOf([
        ...Array.from({ length: 9 }, () => ({ ...row, fields: { ...row.fields, netAmount: "54" } })),
        { ...sent, fields: { ...sent.fields, fee: "27" } }
      ])
    )
    assert.strictEqual(status, "verified")
    const [, summary, ...none] = events ?? []
    assert.deepInclude(summary, { event: "SendPayoutToSplit", count: "9" })
    assert.deepStrictEqual(none, [])
  })
})

describe("a draw on the allowance", () => {
  it("that paid nothing for something is in doubt", () => {
    const [used] = useAllowance.emissions
    if (used === undefined) return assert.fail("no event")
    const call = drawOf("0")
    const fields = { ...used.fields, amountPaidOut: "0", netAmountPaidOut: "0" }
    const { status, reason } = judged(call, logsOf([{ ...used, fields }]))
    assert.deepStrictEqual([status, reason], ["unknown", "the draw paid nothing out"])
  })
})

describe("a proof", () => {
  it("that is too large to keep is unknown, with its hash", () => {
    const few = manyQueued(3)
    assert.strictEqual(judged(few.call, logsOf(few.emissions)).status, "verified")
    const many = manyQueued(110)
    const { status, events } = judged(many.call, logsOf(many.emissions))
    assert.strictEqual(status, "unknown")
    const [only] = events ?? []
    assert.match(JSON.stringify(only), /^\{"count":"111","sha256":"[0-9a-f]{64}"\}$/)
  })
})

describe("queued rulesets", () => {
  it("are as many as configured, and the last is the one that was told", () => {
    const { call, emissions } = manyQueued(3)
    assert.strictEqual(judged(call, logsOf(emissions.slice(1))).reason, "2 rulesets were queued instead of 3")
    const swapped = [emissions[1], emissions[0], ...emissions.slice(2)].flatMap(each => each ?? [])
    assert.strictEqual(judged(call, logsOf(swapped)).status, "verified")
    const ended = [emissions[0], emissions[2], emissions[1], emissions[3]].flatMap(each => each ?? [])
    assert.strictEqual(judged(call, logsOf(ended)).reason, "the QueueRulesets event has another rulesetId")
  })
})

describe("a launched project", () => {
  it("is the one of its owner, whoever else had one launched beside it", () => {
    const { call, emissions } = launchProject
    const other = emissions.map(each => ({ ...each, fields: { ...each.fields, projectId: "10" } }))
    const beside = (fields: Fields) =>
      judged(
        call,
        logsOf([...emissions, ...other.map(each => ({ ...each, fields: { ...each.fields, ...fields } }))])
      ).status
    assert.strictEqual(beside({ owner: OTHER, caller: controllerAddress }), "verified")
    assert.strictEqual(beside({ caller: controllerAddress }), "unknown")
  })
})

describe("a project launched with a shop", () => {
  const { call, emissions } = launchShopWithoutTiers
  const besideOneOf = (owner: string) => {
    const renamed: Fields = { projectId: "10", tokenId: "10", to: owner }
    const other = emissions.map(({ fields, ...each }) => ({
      ...each,
      fields: Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, renamed[name] ?? value])
      )
    }))
    return judged(call, logsOf([...other, ...emissions])).status
  }

  it("is the one of its owner, whoever else had one launched beside it", () => {
    assert.strictEqual(besideOneOf(OTHER), "verified")
    assert.strictEqual(besideOneOf(HOLDER), "unknown")
  })
})

describe("automatic issuances of a revnet", () => {
  const { call, emissions } = autoIssue
  const beside = (fields: Fields) =>
    judged(
      call,
      logsOf([...emissions.map(each => ({ ...each, fields: { ...each.fields, ...fields } })), ...emissions])
    )
  const issued = { event: "MintTokens", beneficiaryTokenCount: "500" }

  it("are told apart by their beneficiaries, and one's by their stages and counts", () => {
    const another = { stageId: "1800000000", count: "70", tokenCount: "70", beneficiaryTokenCount: "70" }
    for (const fields of [{ beneficiary: OTHER }, { ...another, beneficiary: OTHER }, another]) {
      const { status, events = [] } = beside(fields)
      assert.strictEqual(status, "verified", JSON.stringify(fields))
      assert.deepInclude([...events], issued)
    }
  })
})

describe("suckers of a revnet", () => {
  it("are those that were planned, in whatever order", () => {
    const { call, emissions, repeated } = turnedSuckers
    assert.strictEqual(judged(call, logsOf(emissions)).status, "verified")
    const { status, reason } = judged(call, logsOf(repeated))
    assert.deepStrictEqual(
      [status, reason],
      ["unknown", "the SuckerDeployedFor event has another configuration"]
    )
  })
})

describe("a revnet made of a project", () => {
  it("is in doubt", () => {
    const { status, reason } = judged(convertedRevnet.call, logsOf(convertedRevnet.emissions))
    assert.deepStrictEqual([status, reason], ["unknown", "a project that exists becomes a revnet"])
  })
})
