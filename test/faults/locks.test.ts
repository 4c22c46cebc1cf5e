import { afterAll, assert, beforeAll, it } from "vitest"
import { planned } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { newPayer, type RelayBench, startRelayBench } from "../support/RelayBench.ts"
import { type Party, signedFetch } from "../support/SignedFetch.ts"
import { connected } from "../support/Sql.ts"
import { campaign } from "./Campaign.ts"

const { sizes, report, asked } = campaign("locks", { seconds: 3 })

const ME = "/api/v1/accounts/me"
const LONGEST_WAIT_MILLIS = 30_000
/** Two requests each: far fewer than an account may have nonces that live. */
const ROUNDS_OF_ONE = 200

let bench: RelayBench
let held: Party
let others: ReadonlyArray<Party>

beforeAll(async () => {
  bench = await startRelayBench({ settings: { databaseConnections: 1 } })
  held = await newPayer(bench)
  others = await Promise.all(Array.from({ length: 6 }, () => newPayer(bench)))
})

afterAll(() => bench.stop())

const timed = async (ask: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await ask()
  return performance.now() - begun
}

const read = async (owner: Party) => {
  const answer = await signedFetch(bench.service, owner, "GET", ME)
  assert.strictEqual(answer.status, 200)
}

const p99 = (millis: ReadonlyArray<number>): number =>
  [...millis].sort((a, b) => a - b)[Math.floor(millis.length * 0.99)] ?? 0

/** What the others wait for, each with one request after the other until then. */
const goOn = async (end: number): Promise<ReadonlyArray<number>> => {
  const waits: Array<number> = []
  const lane = async (first: Party) => {
    let owner = first
    for (let round = 0; round === 0 || performance.now() < end; round++) {
      if (round > 0 && round % ROUNDS_OF_ONE === 0) owner = await newPayer(bench)
      waits.push(await timed(() => read(owner)))
      waits.push(await timed(() => planned(bench, owner)))
    }
  }
  await Promise.all(others.map(lane))
  return waits
}

it("one account's held row, and a pool of one connection: the others read and plan on, and nobody waits for ever", {
  timeout: sizes.seconds * 2000 + 90_000
}, async () => {
  await goOn(performance.now())
  const before = await goOn(performance.now() + sizes.seconds * 500)
  others = await Promise.all(others.map(() => newPayer(bench)))
  const holder = await connected(bench.service.databaseUrl)
  await holder.query("BEGIN")
  await holder.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [held.accountId])
  const end = performance.now() + sizes.seconds * 1000
  const inVain: Array<number> = []
  const refused: Record<string, number> = {}
  const waitInVain = async () => {
    while (performance.now() < end) {
      const begun = performance.now()
      const answer = await signedFetch(bench.service, held, "PATCH", ME, { body: { bio: "held" } })
      inVain.push(performance.now() - begun)
      const { code } = await problemIn(answer)
      refused[code] = (refused[code] ?? 0) + 1
    }
  }
  const [meanwhile] = await Promise.all([goOn(end), waitInVain(), waitInVain()])
  await holder.query("ROLLBACK")
  await holder.end()
  const waits = [...meanwhile, ...inVain]
  assert.isBelow(Math.max(...waits), LONGEST_WAIT_MILLIS)
  assert.hasAllKeys(refused, ["DATABASE_UNAVAILABLE"])
  await read(held)
  const tails = { p99Before: Math.round(p99(before)), p99Meanwhile: Math.round(p99(meanwhile)) }
  const violations = p99(meanwhile) < 2 * p99(before) ? 0 : 1
  report({ heldSeconds: sizes.seconds, requests: waits.length, refused, ...tails, violations })
  if (!asked) return
  console.log(`longest wait ${Math.round(Math.max(...waits))} ms`)
  assert.strictEqual(violations, 0, "the others' p99 was twice what it is without the lock, or more")
})
