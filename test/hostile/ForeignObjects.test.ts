/** S10: what belongs to somebody else is answered exactly like what does not exist, on every route and to every kind of actor. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Api } from "../../src/http/api/Api.ts"
import { placesOf } from "../../src/http/Places.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { sponsorshipFor, startSponsoringBench } from "../sponsorship/support/Sponsored.ts"
import { newBot } from "../support/Bots.ts"
import { callOf, planned } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { newPayer, newRelayBot, type RelayBench, timesSent } from "../support/RelayBench.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, type Party, signedFetch } from "../support/SignedFetch.ts"
import { approvedStep, signApproval } from "../support/StepApproval.ts"

const allRoutes = placesOf(Api)

const ABSENT = "01234567-89ab-4def-8123-456789abcdef"

let bench: RelayBench
let actors: Readonly<Record<string, Party>>
let foreign: Readonly<Record<"plan" | "grant" | "sponsorship", ReadonlyArray<string>>>
let body: Readonly<Record<string, unknown>>
let raw: `0x${string}`

beforeAll(async () => {
  bench = await startSponsoringBench()
  const owner = await newPayer(bench)
  const other = await newPayer(bench)
  const bot = await newRelayBot(bench, owner)
  const twin = await newRelayBot(bench, owner)
  const theirs = await newRelayBot(bench, other)
  const [own, ofBot, ofOther, ofTheirs]: ReadonlyArray<Plan> = await Promise.all([
    planned(bench, owner),
    planned(bench, owner, { by: bot }),
    planned(bench, other),
    planned(bench, other, { by: theirs })
  ])
  if (own === undefined || ofBot === undefined || ofOther === undefined || ofTheirs === undefined)
    return assert.fail()
  raw = await signCall(bench, owner, callOf(ofBot))
  const ownerApproval = await signApproval(owner.key, bench.service, approvedStep(bot, ofBot, raw))
  body = { rawSignedTransaction: raw, ownerApproval }
  actors = {
    "a bot of the same account": twin,
    "a reading bot of the same account": await newBot(bench.service, owner),
    "another owner": other,
    "a bot of another owner": theirs
  }
  const sponsored = [
    await sponsorshipFor(bench.service, owner, own),
    await sponsorshipFor(bench.service, bot, ofBot)
  ]
  foreign = {
    plan: [own.id, ofBot.id],
    grant: [bot.grantId, twin.grantId],
    sponsorship: sponsored.map(({ id }) => id)
  }
})

afterAll(() => bench.stop())

/** Without what names the request itself. */
const seen = async (answer: Response) => {
  const { requestId, ...problem } = await problemIn(answer)
  const headers = [...answer.headers.keys()].sort()
  return { ...problem, requestId: requestId.length, headers }
}

type AnyRoute = (typeof allRoutes)[number]

/** Operations of the API belong to nobody; all that is of bound wallets is held to the same beside this. */
const named = allRoutes.filter(
  ({ at }) =>
    /:(id|grantId)/.test(at) &&
    !/\/(?:operations|bindings|user-operations|sessions|payment-reviews)\/:id/.test(at)
)

const ask = (route: AnyRoute, actor: Party, id: string) => {
  const target = route.at.replace(":step", "0").replace(/:\w+/, id)
  const item = actor.grantId === undefined ? { rawSignedTransaction: raw } : body
  const bodies: Readonly<Record<string, unknown>> = {
    createFundingPlan: { chainId: 31337, payer: actor.key.address },
    submitSponsorship: { signatures: [`0x${"11".repeat(65)}`] },
    submitBundle: { submissions: [{ stepIndex: 0, ...item }] },
    recordIntentDeployment: { chainId: 31337, transactionHash: `0x${"77".repeat(32)}` }
  }
  const sent = bodies[route.name] ?? body
  return signedFetch(bench.service, actor, route.method, target, {
    idempotencyKey: freshNonce(),
    ...(route.takesBody ? { body: sent } : {})
  })
}

describe("a foreign object", () => {
  it("can be named on these routes", () => {
    assert.includeMembers(
      named.map(({ name }) => name),
      [
        "getPlan",
        "simulateStep",
        "submitStep",
        "submitBundle",
        "revokeBot",
        "submitSponsorship",
        "createFundingPlan"
      ]
    )
  })

  it.each(named.map(route => [route.name, route] as const))(
    "is as good as absent: %s",
    async (name, route) => {
      const ids =
        name === "revokeBot"
          ? foreign.grant
          : foreign[/Sponsorship|Funding/.test(name) ? "sponsorship" : "plan"]
      for (const [who, actor] of Object.entries(actors)) {
        const absent = await seen(await ask(route, actor, ABSENT))
        assert.include(
          ["PLAN_NOT_FOUND", "GRANT_NOT_FOUND", "INTENT_NOT_FOUND", "SPONSORSHIP_NOT_FOUND", "FORBIDDEN"],
          absent.code,
          who
        )
        for (const id of ids) assert.deepStrictEqual(await seen(await ask(route, actor, id)), absent, who)
      }
      assert.strictEqual(timesSent(bench, raw), 0)
    }
  )

  it("is in nobody else's list", async () => {
    for (const actor of Object.values(actors)) {
      const answer = await signedFetch(bench.service, actor, "GET", "/api/v1/plans?limit=100")
      const text = await answer.text()
      assert.strictEqual(answer.status, 200)
      for (const id of foreign.plan) assert.notInclude(text, id)
    }
  })
})
