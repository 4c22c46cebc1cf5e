import { Schema } from "effect"
import { assert, describe, it } from "vitest"
import { localManifest } from "../../../sandbox/execution/Manifest.ts"
import { type DraftGround, readDraft } from "../../../src/console/sessions/ReadDraft.ts"
import {
  type DraftRight,
  newDraft,
  newLimit,
  newRight,
  type SessionDraft,
  withoutLimit
} from "../../../src/console/sessions/SessionDraft.ts"
import { SessionInput } from "../../../src/sessions/SessionInput.ts"

const manifest = localManifest()
const NOW = 1_800_000_000
const DAY = 86_400
const BENEFICIARY = "0x00000000000000000000000000000000000000b0"
const WALLET = "0x00000000000000000000000000000000000000A1"

const ground: DraftGround = {
  manifest,
  bindingId: `0x${"11".repeat(32)}`,
  wallet: WALLET,
  grantEnds: NOW + 31 * DAY,
  nowSeconds: NOW,
  nonce: `0x${"22".repeat(32)}`
}

const begun = newDraft({
  manifest,
  bindingId: ground.bindingId,
  grantId: "8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42",
  beneficiary: BENEFICIARY,
  price: "10"
})

const typed = (over: Partial<DraftRight>): SessionDraft => ({
  ...begun,
  rights: begun.rights.map(right => ({ ...right, projectId: "2", ...over }))
})

const right = typed({})

const inputOf = (draft: SessionDraft) => readDraft(draft, ground).input ?? assert.fail("it has faults")

const faultsOf = (draft: SessionDraft, over: Partial<DraftGround> = {}) =>
  readDraft(draft, { ...ground, ...over }).faults

describe("a session as it was typed", () => {
  it("becomes what the service takes, its gas derived from its calls where nothing was typed", () => {
    const input = inputOf(right)
    assert.deepStrictEqual(Schema.decodeUnknownSync(SessionInput)(input).gasBudget, {
      paymaster: null,
      paymasterDataLength: 0,
      maxGasPerOperation: "2000000",
      maxFeePerGas: "10000000000",
      maxPriorityFeePerGas: "10000000000",
      totalGasLimit: "40000000",
      totalCostLimit: "400000000000000000"
    })
    const [action] = input.actions
    assert.deepInclude(action, { kind: "v6-pay", perCallLimit: "10000000000000000", projectId: "2" })
    assert.deepStrictEqual([input.validAfter, input.durationDays], [NOW - 30, 7])
  })

  it("may have every kind of right, start later, last a month and have its gas paid", () => {
    const [paymaster = assert.fail("no paymaster")] = manifest.pins.paymasters
    const limits = [newLimit(manifest, 0), newLimit(manifest, 1)]
    const rights = [
      ...right.rights,
      { ...newRight(manifest, "erc20-transfer", BENEFICIARY), limit: "1" },
      { ...newRight(manifest, "v6-project-uri", BENEFICIARY), projectId: "5" }
    ]
    const gas = {
      ...begun.gas,
      paymaster: paymaster.address,
      tip: "2",
      total: "50000000",
      cost: "0.5"
    }
    const input = inputOf({ ...right, days: "30", startsIn: "3", limits, rights, gas })
    Schema.decodeUnknownSync(SessionInput)(input)
    assert.deepStrictEqual(
      input.actions.map(({ kind }) => kind),
      ["v6-pay", "erc20-transfer", "v6-project-uri"]
    )
    assert.strictEqual(input.validAfter, NOW + 3 * 3600)
    assert.deepInclude(input.gasBudget, {
      paymaster: paymaster.address,
      paymasterDataLength: 77,
      maxPriorityFeePerGas: "2000000000",
      totalCostLimit: "500000000000000000"
    })
  })
})

const FAULTS: ReadonlyArray<readonly [SessionDraft, field: string]> = [
  [begun, "right-0-project"],
  [{ ...right, calls: "0" }, "calls"],
  [{ ...right, calls: "100001" }, "calls"],
  [{ ...right, startsIn: "24" }, "starts"],
  [{ ...right, rights: [] }, "add-right"],
  [typed({ perCall: "0.2" }), "right-0-per-call"],
  [typed({ perCall: "0" }), "right-0-per-call"],
  [typed({ total: "0.11" }), "right-0-total"],
  [typed({ total: "0.0000000000000000001" }), "right-0-total"],
  [typed({ limit: "" }), "right-0-limit"],
  [typed({ kind: "erc20-transfer" }), "right-0-limit"],
  [typed({ beneficiary: "0x12" }), "right-0-beneficiary"],
  [typed({ beneficiary: WALLET }), "right-0-beneficiary"],
  [typed({ least: "-1" }), "right-0-least"],
  [{ ...right, rights: [...right.rights, ...right.rights] }, "right-1-kind"],
  [{ ...right, limits: [{ ...newLimit(manifest, 0), name: "no name" }] }, "limit-0-name"],
  [{ ...right, limits: [...right.limits, ...right.limits] }, "limit-1-asset"],
  [{ ...right, gas: { ...right.gas, perOperation: "" } }, "gas-operation"],
  [{ ...right, gas: { ...right.gas, price: "x" } }, "gas-price"],
  [{ ...right, gas: { ...right.gas, tip: "11" } }, "gas-tip"],
  [{ ...right, gas: { ...right.gas, total: "1999999" } }, "gas-total"],
  [{ ...right, gas: { ...right.gas, cost: "0.019" } }, "gas-cost"]
]

describe("what is wrong with it", () => {
  it("is told at its field", () => {
    for (const [draft, field] of FAULTS) assert.property(faultsOf(draft), field)
    assert.deepStrictEqual(Object.keys(faultsOf(right, { grantEnds: NOW + DAY })), ["bot"])
  })

  it("is told of rights that lost their limit, and others keep theirs", () => {
    const limits = [newLimit(manifest, 0), newLimit(manifest, 1)]
    const rights = [...right.rights, { ...newRight(manifest, "erc20-transfer", BENEFICIARY), limit: "1" }]
    const left = { ...right, ...withoutLimit({ ...right, limits, rights }, 0) }
    assert.deepStrictEqual(
      left.rights.map(({ limit }) => limit),
      ["", "0"]
    )
    assert.deepStrictEqual(Object.keys(faultsOf(left)), ["right-0-limit"])
  })
})
