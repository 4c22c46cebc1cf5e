/** An owner who submits what a bot prepared is told whose it is to submit, and how to go on. */
import { afterAll, assert, describe, it } from "vitest"
import { newBot, revokeBot } from "../support/Bots.ts"
import { postBundle } from "../support/Bundles.ts"
import { callOf, planned } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { newPayer, newRelayBot, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { signCall } from "../support/SignedCalls.ts"
import type { Party } from "../support/SignedFetch.ts"
import { submit } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const prepared = async (owner: Party, bot: Party) => {
  const plan = await planned(bench, owner, { by: bot })
  return { plan, raw: await signCall(bench, owner, callOf(plan)) }
}

const told = async (owner: Party, bot: Party, state: string, words: ReadonlyArray<string>) => {
  const { plan, raw } = await prepared(owner, bot)
  if (state === "revoked") await revokeBot(bench.service, owner, bot)
  const single = await submit(bench.service, owner, plan, { rawSignedTransaction: raw })
  const item = { stepIndex: 0, rawSignedTransaction: raw }
  for (const answer of [single, await postBundle(bench.service, owner, plan, [item])]) {
    const { context, detail } = await assertProblem(answer, "PLAN_NOT_FOUND")
    assert.deepStrictEqual(context, { principalId: `bot:${bot.grantId}`, grantState: state })
    for (const word of words) assert.include(detail, word)
  }
  assert.strictEqual(timesSent(bench, raw), 0)
}

describe("an owner's submission of a bot's plan", () => {
  it("is told that the bot submits it, with the owner's approval", async () => {
    const owner = await newPayer(bench)
    const bot = await newRelayBot(bench, owner)
    await told(owner, bot, "active", [`bot:${bot.grantId}`, "ownerApproval", "plan of your own"])
  })

  it("is told that nobody submits it any more once the bot is revoked", async () => {
    const owner = await newPayer(bench)
    const bot = await newRelayBot(bench, owner)
    await told(owner, bot, "revoked", ["revoked", "plan of your own"])
  })

  it("is told that a bot without the scope submits nothing", async () => {
    const owner = await newPayer(bench)
    const bot = await newBot(bench.service, owner, { scopes: ["read", "plan"] })
    await told(owner, bot, "active", ["relay", "plan of your own"])
  })
})

describe("whoever may not read a plan", () => {
  it("is told nothing of it", async () => {
    const owner = await newPayer(bench)
    const bot = await newRelayBot(bench, owner)
    const { plan, raw } = await prepared(owner, bot)
    const body = { rawSignedTransaction: raw }
    const nowhere = { id: "00000000-0000-4000-8000-000000000000" }
    const strangers = [await newPayer(bench), await newRelayBot(bench, owner)]
    for (const stranger of strangers) {
      const foreign = await assertProblem(await submit(bench.service, stranger, plan, body), "PLAN_NOT_FOUND")
      const absent = await assertProblem(
        await submit(bench.service, stranger, nowhere, body),
        "PLAN_NOT_FOUND"
      )
      assert.deepStrictEqual({ ...foreign, requestId: "" }, { ...absent, requestId: "" })
      assert.notProperty(foreign, "context")
    }
  })
})
