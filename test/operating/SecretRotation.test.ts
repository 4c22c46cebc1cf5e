/** The steps of docs/operating/secret-rotation.md: at each moment every replica takes what any replica made. */
import { Redacted } from "effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { planned } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { newPayer, type RelayBench, startRelayBench } from "../support/RelayBench.ts"
import type { RunningService } from "../support/Service.ts"
import { type Party, signedFetch } from "../support/SignedFetch.ts"

const [OLD, NEW] = ["the-old-secret-of-thirty-two-bytes", "the-new-secret-of-thirty-two-bytes"]

let bench: RelayBench
let owner: Party

beforeAll(async () => {
  bench = await startRelayBench()
  owner = await newPayer(bench)
  for (let made = 0; made < 2; made++) await planned(bench, owner)
})
afterAll(() => bench.stop())

const replica = (secret: string, previous?: string) =>
  bench.replica({
    reviewSecret: Redacted.make(secret),
    previousReviewSecret: previous === undefined ? undefined : Redacted.make(previous)
  })

const page = (service: RunningService, query: string) =>
  signedFetch(service, owner, "GET", `/api/v1/plans?limit=1${query}`)

const cursorOf = async (service: RunningService): Promise<string> => {
  const { nextCursor }: { readonly nextCursor: string } = await (await page(service, "")).json()
  return nextCursor
}

const takesFrom = async (maker: RunningService, taker: RunningService) => {
  const answer = await page(taker, `&cursor=${await cursorOf(maker)}`)
  const { items }: { readonly items: ReadonlyArray<Plan> } = await answer.json()
  assert.strictEqual(items.length, 1)
}

it("replicas that take up a new secret one after another know each other's cursors all along", async () => {
  const stages = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]] as const
  let [first, second] = [await replica(OLD), await replica(OLD)]
  const ofOld = await cursorOf(first)
  for (const [secret, previous] of stages.slice(1)) {
    await first.stop()
    first = await replica(secret, previous)
    for (const [maker, taker] of [
      [first, second],
      [second, first]
    ] as const)
      await takesFrom(maker, taker)
    await second.stop()
    second = await replica(secret, previous)
    await takesFrom(first, second)
    if (previous !== undefined) assert.strictEqual((await page(second, `&cursor=${ofOld}`)).status, 200)
  }
  const problem = await assertProblem(await page(second, `&cursor=${ofOld}`), "INVALID_PARAMETER")
  assert.include(problem.detail, "ended")
  await Promise.all([first.stop(), second.stop()])
})
