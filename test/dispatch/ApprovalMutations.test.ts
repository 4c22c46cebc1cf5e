/** Hundreds of spoilt approvals in the hand of a bot that has every scope: none passes, each is answered by its code, none leaves a trace. */
import { afterAll, assert, describe, it } from "vitest"
import { newKey } from "../support/Bots.ts"
import { callOf, planned } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { newPayer, newRelayBot, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { approvedStep } from "../support/StepApproval.ts"
import { submit, submitted } from "../support/Submissions.ts"
import { bentMutants } from "./approvals/Bent.ts"
import { confusedMutants } from "./approvals/Confused.ts"
import { foreignMutants } from "./approvals/Foreign.ts"
import { type Ground, type Mutant, signedBy } from "./approvals/Ground.ts"

const AT_ONCE = 8
/** As long as an approval may be good: it is shown until the last mutant was refused. */
const LONGEST_SECONDS = 300

const bench = await startRelayBench()
const owner = await newPayer(bench)
const bot = await newRelayBot(bench, owner)
const plan = await planned(bench, owner, { by: bot })
const raw = await signCall(bench, owner, callOf(plan))
const issuedAt = Math.floor(Date.now() / 1000)
const ground = {
  audience: bench.service.audience,
  owner: owner.key,
  bot: bot.key,
  stranger: newKey(),
  approved: approvedStep(bot, plan, raw, { issuedAt, expiresAt: issuedAt + LONGEST_SECONDS }),
  target: `/api/v1/plans/${plan.id}/steps/0/submissions`,
  submittedBody: JSON.stringify({ rawSignedTransaction: raw })
}

afterAll(() => bench.stop())

const present = ({ given, text }: Mutant): Promise<Response> => {
  const approval = text ?? JSON.stringify(given)
  const rawBody = `{"rawSignedTransaction":"${raw}","ownerApproval":${approval}}`
  return signedFetch(bench.service, bot, "POST", ground.target, { rawBody, idempotencyKey: freshNonce() })
}

const verdictOn = async (mutant: Mutant): Promise<string | undefined> => {
  const answer = await present(mutant)
  const code = answer.ok ? "accepted" : (await problemIn(answer)).code
  return code === mutant.code ? undefined : `${mutant.name}: ${code}, not ${mutant.code}`
}

const wrongVerdicts = async (mutants: ReadonlyArray<Mutant>): Promise<ReadonlyArray<string>> => {
  const wrong: Array<string> = []
  const queue = [...mutants]
  const work = async () => {
    for (let mutant = queue.pop(); mutant !== undefined; mutant = queue.pop()) {
      const fault = await verdictOn(mutant)
      if (fault !== undefined) wrong.push(fault)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return wrong
}

/** Everything that a claim would have stored. */
const traces = async (): Promise<Readonly<Record<string, unknown>>> => {
  const [row] = await sqlOn(
    bench.service.databaseUrl,
    `SELECT (SELECT count(*) FROM transport_bindings) AS bindings, (SELECT count(*) FROM reserved_nonces) AS nonces,
      (SELECT count(*) FROM dispatch_leases) AS leases, (SELECT count(*) FROM owner_approvals) AS approvals,
      (SELECT count(*) FROM idempotency_keys WHERE kind <> 'plan') AS keys`
  )
  return row ?? {}
}

const UNTOUCHED = { bindings: 0, nonces: 0, leases: 0, approvals: 0, keys: 0 }

describe("a spoilt approval", () => {
  const kinds: ReadonlyArray<readonly [string, (ground: Ground) => Promise<ReadonlyArray<Mutant>>, number]> =
    [
      ["for something else", foreignMutants, 150],
      ["of another type, domain or hand", confusedMutants, 25],
      ["bent in its bytes, its shape or its JSON", bentMutants, 175]
    ]
  it.each(kinds)("%s dispatches nothing", { timeout: 120_000 }, async (_, make, atLeast) => {
    const mutants = await make(ground)
    assert.isAtLeast(mutants.length, atLeast)
    assert.deepStrictEqual(await wrongVerdicts(mutants), [])
    assert.deepStrictEqual(bench.proxy.sent(), [])
    assert.deepStrictEqual(await traces(), UNTOUCHED)
  })

  it("gives way to the good one, which alone is kept", async () => {
    const ownerApproval = await signedBy(owner.key, ground)
    await submitted(bench.service, bot, plan, { rawSignedTransaction: raw, ownerApproval })
    assert.strictEqual(timesSent(bench, raw), 1)
    assert.deepStrictEqual(await traces(), { bindings: 1, nonces: 1, leases: 1, approvals: 1, keys: 1 })
    const [kept] = await sqlOn(
      bench.service.databaseUrl,
      "SELECT plan, step, hash, form, signer, issued_at, expires_at, nonce FROM owner_approvals"
    )
    const { transactionHash, issuedAt, expiresAt, nonce } = ground.approved
    assert.deepStrictEqual(kept, {
      plan: plan.id,
      step: 0,
      hash: transactionHash,
      form: "owner-approval",
      signer: owner.key.address.toLowerCase(),
      issued_at: issuedAt,
      expires_at: expiresAt,
      nonce
    })
  })

  it("of yesterday's step is no better than none", async () => {
    const again = await planned(bench, owner, { by: bot })
    const bytes = await signCall(bench, owner, callOf(again))
    const ownerApproval = await signedBy(owner.key, ground)
    const answer = await submit(bench.service, bot, again, { rawSignedTransaction: bytes, ownerApproval })
    const { code, context } = await problemIn(answer)
    assert.strictEqual(code, "OWNER_APPROVAL_MISMATCH")
    assert.deepStrictEqual(context, { members: ["planId", "commitment", "transactionHash"] })
    assert.strictEqual(timesSent(bench, bytes), 0)
  })
})
