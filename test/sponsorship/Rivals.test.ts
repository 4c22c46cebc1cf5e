/** Of two requests that a wallet signed for one nonce, a batch executes the first; the other is never taken for executed. */
import { afterAll, assert, describe, it } from "vitest"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { executeCalldata } from "../../src/values/ForwardRequest.ts"
import { payment, planned } from "../support/PlannedCalls.ts"
import {
  ANYBODY,
  comesTo,
  confirm,
  executeBatch,
  look,
  observationOf,
  publication,
  startExecutingBench
} from "./support/Executing.ts"
import { signAll } from "./support/Signing.ts"
import { authorizationOf, sponsorshipFor } from "./support/Sponsored.ts"

const bench = await startExecutingBench()

afterAll(() => bench.stop())

const nonceOf = (sponsorship: Sponsorship): string => authorizationOf(sponsorship).message.nonce

/** A published request, and another one of its nonce that the wallet signed for somebody else. */
const rivals = async () => {
  const made = await publication(bench, { lie: "executes-never" })
  const { owner } = made
  const plan = await planned(bench, owner, { calls: [payment(bench, ANYBODY)] })
  const sponsorship = await sponsorshipFor(bench.service, owner, plan)
  assert.strictEqual(nonceOf(sponsorship), nonceOf(made.sponsorship))
  const signatures = await signAll(owner.key, sponsorship)
  const calls = sponsorship.authorizations.map(({ message }, position) =>
    executeCalldata(message, signatures[position] ?? assert.fail("not signed"))
  )
  return { made, rival: { sponsorship, calls } }
}

describe("of two requests for one nonce in a batch", () => {
  it("the one that was passed over is not the one that was executed", async () => {
    const { made, rival } = await rivals()
    await executeBatch(bench, rival, made)
    await confirm(bench)
    const { sponsorship } = await look(bench, made)
    const { state, proof, reason, semantic } = observationOf(sponsorship)
    assert.deepStrictEqual(
      [state, proof, reason, semantic?.status],
      ["unknown", undefined, "EXECUTION_NOT_OURS", "unknown"]
    )
    assert.notInclude(["completed", "execution_verified", "failed"], sponsorship.state)
  })

  it("the one that was executed is proved so, by a trace", async () => {
    const { made, rival } = await rivals()
    await executeBatch(bench, made, rival)
    await confirm(bench)
    const { proof, semantic } = observationOf(await comesTo(bench, made, "completed"))
    assert.deepStrictEqual([proof, semantic?.status], ["traced", "verified"])
  })
})
