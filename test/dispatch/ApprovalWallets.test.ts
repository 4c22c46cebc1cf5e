/** Approvals that the owner's contract answers for, and a contract that changes its answer. */
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { BOUND, YES } from "../support/LyingWallets.ts"
import { startNodeGate } from "../support/NodeGate.ts"
import { callOf, planned } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { newPayer, newRelayBot, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { chainSettings } from "../support/Sandbox.ts"
import { signCall } from "../support/SignedCalls.ts"
import type { Party } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { approvedStep, signApproval } from "../support/StepApproval.ts"
import { submit } from "../support/Submissions.ts"

const NO = "00"
const MEMBERS = "0x1234"

let owner: Party
let bot: Party
let plan: Plan
let raw: `0x${string}`

const gate = await startNodeGate()
const bench = await startRelayBench({ settings: { chains: chainSettings(gate.url) } })
gate.to(bench.proxy.url)

afterAll(async () => {
  await bench.stop()
  await gate.stop()
})

beforeEach(async () => {
  owner = await newPayer(bench)
  bot = await newRelayBot(bench, owner)
  plan = await planned(bench, owner, { by: bot })
  raw = await signCall(bench, owner, callOf(plan))
})

const becomes = (code: string) => rpc(bench.chain.url, "anvil_setCode", [owner.key.address, `0x${code}`])

const relay = async (ownerApproval: unknown): Promise<string> => {
  const answer = await submit(bench.service, bot, plan, { rawSignedTransaction: raw, ownerApproval })
  return answer.ok ? "accepted" : (await problemIn(answer)).code
}

/** What no key can read: the contract alone can say yes to it. */
const byContract = () => ({ ...approvedStep(bot, plan, raw), signature: MEMBERS })

const claims = async () =>
  (await sqlOn(bench.service.databaseUrl, "SELECT 1 FROM dispatch_leases WHERE plan = $1", [plan.id])).length

const reservedNothing = async () => {
  assert.strictEqual(timesSent(bench, raw), 0)
  assert.strictEqual(await claims(), 0)
}

describe("an approval that only the owner's contract can accept", () => {
  it("is refused while the owner has no code, and while the contract says no", async () => {
    assert.strictEqual(await relay(byContract()), "INVALID_OWNER_APPROVAL_SIGNATURE")
    await becomes(NO)
    assert.strictEqual(await relay(byContract()), "INVALID_OWNER_APPROVAL_SIGNATURE")
    await reservedNothing()
  })

  it("is good when the contract says yes, and is kept", async () => {
    await becomes(YES)
    assert.strictEqual(await relay(byContract()), "accepted")
    const kept = await sqlOn(
      bench.service.databaseUrl,
      "SELECT form, signer FROM owner_approvals WHERE plan = $1",
      [plan.id]
    )
    assert.deepStrictEqual(kept, [{ form: "owner-approval", signer: owner.key.address.toLowerCase() }])
  })

  it("is asked about under its own digest", async () => {
    await becomes(BOUND)
    assert.strictEqual(await relay(byContract()), "INVALID_OWNER_APPROVAL_SIGNATURE")
    await reservedNothing()
  })

  it("still names what it approves, whatever the contract says", async () => {
    await becomes(YES)
    for (const [over, code] of [
      [{ stepIndex: 1 }, "OWNER_APPROVAL_MISMATCH"],
      [{ planId: "00000000-0000-4000-8000-000000000000" }, "OWNER_APPROVAL_MISMATCH"],
      [{ principalId: `owner:${owner.accountId}` }, "OWNER_APPROVAL_MISMATCH"],
      [{ issuedAt: 1, expiresAt: 2 }, "OWNER_APPROVAL_EXPIRED"],
      [{ signature: `0x12${"6492".repeat(16)}` }, "INVALID_OWNER_APPROVAL_SIGNATURE"]
    ] as const)
      assert.strictEqual(await relay({ ...byContract(), ...over }), code)
    await reservedNothing()
  })

  it("is refused by a contract that said yes before and says no now", async () => {
    await becomes(YES)
    const submission = relay(byContract())
    await gate.during("eth_estimateGas", () => becomes(NO).then(() => {}))
    assert.strictEqual(await submission, "INVALID_OWNER_APPROVAL_SIGNATURE")
    await reservedNothing()
  })

  it("authorises nothing while no node answers for the contract", async () => {
    await becomes(YES)
    const submission = relay(byContract())
    await gate.during("eth_estimateGas", async () => {
      bench.proxy.fault({
        method: "eth_getCode",
        phase: "before",
        times: 10,
        act: { kind: "status", status: 503 }
      })
    })
    assert.strictEqual(await submission, "VERIFIER_UNAVAILABLE")
    bench.proxy.clearFaults()
    await reservedNothing()
  })

  it("is not needed where the owner's key signed", async () => {
    await becomes(NO)
    const signed = await signApproval(owner.key, bench.service, approvedStep(bot, plan, raw))
    assert.strictEqual(await relay(signed), "accepted")
  })
})
