/** Sessions that are refused, each by the rule that it breaks, whether prepared or reviewed. */

import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bound, unlink } from "../smartaccounts/support/Bindings.ts"
import { inSeconds, newBot, revokeBot } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { NATIVE_TOKEN } from "../support/Sandbox.ts"
import { nowOf } from "./support/Guarded.ts"
import { PAYEE } from "./support/Policies.ts"
import {
  askSession,
  type Bound,
  BUDGET,
  boundWallet,
  DAY,
  enabled,
  groupOf,
  paymentOf,
  preparedSession,
  reviewed,
  type SessionBench,
  sessionInput,
  startSessionBench,
  TERMINAL,
  TOKEN,
  transferOf,
  uriOf
} from "./support/SessionBench.ts"

let bench: SessionBench
let of: Bound

beforeAll(async () => {
  bench = await startSessionBench()
  of = await boundWallet(bench)
})
afterAll(() => bench.stop())

const refused = async (over: Readonly<Record<string, unknown>>, code: string) => {
  const body = await sessionInput(bench, of, over)
  const { context } = await assertProblem(await askSession(bench, body), code)
  await assertProblem(await reviewed(bench, body), code)
  return context
}

describe("a session is refused", () => {
  it.each([
    ["no action", { actions: [] }],
    ["too many actions", { actions: Array.from({ length: 17 }, () => transferOf()) }],
    ["a generation of none", { generation: "0" }],
    ["a generation beyond 64 bits", { generation: String(1n << 64n) }],
    ["a generation that is a number", { generation: 1 }],
    ["no nonce", { nonce: `0x${"00".repeat(32)}` }],
    ["a fortnight", { durationDays: 14 }],
    ["no call", { maximumCalls: 0 }],
    ["too many calls", { maximumCalls: 100_001 }],
    ["a tip above the price", { gasBudget: { ...BUDGET, maxPriorityFeePerGas: "5000000001" } }],
    ["an operation above the total", { gasBudget: { ...BUDGET, totalGasLimit: "1999999" } }],
    ["an operation above the cost", { gasBudget: { ...BUDGET, totalCostLimit: "9999999999999999" } }],
    ["data for no paymaster", { gasBudget: { ...BUDGET, paymasterDataLength: 1 } }],
    ["gas beyond 128 bits", { gasBudget: { ...BUDGET, maxGasPerOperation: String(1n << 128n) } }],
    ["a member too many", { wallet: PAYEE }],
    ["the same call twice", { actions: [transferOf(), transferOf({ beneficiary: NATIVE_TOKEN })] }]
  ])("with %s", async (_, over) => {
    await refused(over, "INVALID_INPUT")
  })

  it("with a paymaster that is not pinned", async () => {
    const gasBudget = { ...BUDGET, paymaster: PAYEE }
    assert.deepInclude(await refused({ gasBudget }, "INVALID_INPUT"), { path: "gasBudget.paymaster" })
  })

  it("with the wallet for its own beneficiary", async () => {
    const actions = [transferOf({ beneficiary: of.wallet.address })]
    assert.deepInclude(await refused({ actions }, "INVALID_INPUT"), { path: "actions[0].beneficiary" })
  })

  it("with a beginning that is too early or too late", async () => {
    const now = await nowOf(bench.sandbox)
    for (const validAfter of [now - 61, now + DAY + 1])
      assert.deepInclude(await refused({ validAfter }, "INVALID_INPUT"), { path: "validAfter" })
  })

  it.each([
    ["limits beyond their total", () => ({ allocations: [{ ...groupOf(TOKEN), total: "99" }] })],
    [
      "a group's id twice",
      () => ({ allocations: [groupOf(TOKEN), { ...groupOf(NATIVE_TOKEN, "e"), id: "group-tips" }] })
    ],
    [
      "an allocation's id twice",
      () => ({ allocations: [groupOf(TOKEN), { ...groupOf(NATIVE_TOKEN), id: "other" }] })
    ],
    ["an asset twice", () => ({ allocations: [groupOf(TOKEN), groupOf(TOKEN, "more")] })],
    ["an allocation that is not there", () => ({ actions: [transferOf({ allocationId: "nothing" })] })],
    ["a call beyond its total", () => ({ actions: [transferOf({ perCallLimit: "41", totalLimit: "40" })] })],
    ["a total beyond its allocation", () => ({ actions: [transferOf({ totalLimit: "101" })] })],
    [
      "totals beyond their allocation together",
      () => ({
        allocations: [groupOf(TOKEN)],
        actions: [transferOf(), paymentOf({ allocationId: "tips", totalLimit: "40" })]
      })
    ],
    ["a transfer of the chain's currency", () => ({ actions: [transferOf({ allocationId: "ether" })] })],
    [
      "sums beyond 256 bits",
      () => {
        const limit = String((1n << 256n) - 1n)
        const [one, other] = [groupOf(TOKEN, "tips", limit), groupOf(NATIVE_TOKEN, "ether", limit)]
        return {
          allocations: [{ ...one, allocations: [...one.allocations, ...other.allocations] }],
          actions: [uriOf()]
        }
      }
    ]
  ])("with %s", async (_, over) => {
    await refused(over(), "SESSION_ALLOCATION_INVALID")
  })

  it("over an asset that was not reviewed, here or elsewhere", async () => {
    const actions = [uriOf()]
    await refused({ actions, allocations: [groupOf(PAYEE)] }, "SESSION_ASSET_UNREVIEWED")
    const elsewhere = {
      ...groupOf(TOKEN),
      allocations: [{ id: "tips", chainId: 1, asset: TOKEN, limit: "1" }]
    }
    const context = await refused({ actions, allocations: [elsewhere] }, "SESSION_ASSET_UNREVIEWED")
    assert.deepInclude(context, { path: "allocations[0].allocations[0].asset", chainId: 1 })
  })

  it("over a contract that was not reviewed for it", async () => {
    const controller = TERMINAL
    const context = await refused({ actions: [uriOf({ controller })] }, "SESSION_TARGET_UNREVIEWED")
    assert.deepEqual(context, {
      path: "actions[0].controller",
      address: controller,
      kind: "v6-controller",
      check: "review"
    })
  })

  it("over a contract that has other code now", async () => {
    const { client } = bench.sandbox
    const address = TOKEN
    const code = (await client.getCode({ address })) ?? "0x"
    await client.setCode({ address, bytecode: "0x00" })
    try {
      const context = await refused({}, "SESSION_TARGET_UNREVIEWED")
      assert.deepEqual(context, { path: "actions[0]", address, check: "code" })
    } finally {
      await client.setCode({ address, bytecode: code })
    }
  })

  it("of a grant that is absent, too small, too short or ended", async () => {
    await refused({ grantId: "00000000-0000-4000-8000-000000000000" }, "GRANT_NOT_FOUND")
    const grantOf = async (scopes: ReadonlyArray<string>, days: number) => {
      const { grantId } = await newBot(bench.service, bench.owner, {
        scopes,
        expiresAt: inSeconds(days * DAY)
      })
      return { grantId }
    }
    const all = ["read", "plan", "relay"]
    const small = await refused(await grantOf(["read", "plan"], 40), "SESSION_GRANT_UNSUITABLE")
    assert.deepEqual(small, { reason: "scopes" })
    const short = await refused(await grantOf(all, 6), "SESSION_GRANT_UNSUITABLE")
    assert.deepEqual(short, { reason: "expires" })
    const ended = await grantOf(all, 40)
    await revokeBot(bench.service, bench.owner, ended)
    assert.deepEqual(await refused(ended, "SESSION_GRANT_UNSUITABLE"), { reason: "inactive" })
  })

  it("of a binding that is absent, or ended", async () => {
    await refused({ bindingId: `0x${"ab".repeat(32)}` }, "BINDING_NOT_FOUND")
    const own = await boundWallet(bench)
    await unlink(bench, own.bindingId)
    await refused({ bindingId: own.bindingId }, "BINDING_NOT_FOUND")
    const { id } = await bound(bench, own.wallet)
    assert.equal(id, own.bindingId)
    await preparedSession(bench, own)
  })

  it("while another one lives at the guard", async () => {
    const own = await boundWallet(bench)
    const first = await preparedSession(bench, own)
    await enabled(bench, own, first)
    const body = await sessionInput(bench, own, { generation: "2" })
    const { context } = await assertProblem(await askSession(bench, body), "SESSION_RETIREMENT_REQUIRED")
    assert.deepEqual(context, { permissionId: first.compiled.permissionId })
    const { warnings } = await (await reviewed(bench, body)).json()
    assert.match(warnings.join(), new RegExp(first.compiled.permissionId))
  })
})
