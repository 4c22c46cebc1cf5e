import { afterAll, assert, beforeAll, it } from "vitest"
import { problemIn } from "../support/Problem.ts"
import { newPayer, planned, type RelayBench, startRelayBench } from "../support/RelayBench.ts"
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

it("one account's held row, and a pool of one connection: the others read and plan on, and nobody waits for ever", {
  timeout: sizes.seconds * 1000 + 90_000
}, async () => {
  const holder = await connected(bench.service.databaseUrl)
  await holder.query("BEGIN")
  await holder.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [held.accountId])
  const end = performance.now() + sizes.seconds * 1000
  const waits: Array<number> = []
  const refused: Record<string, number> = {}
  const waitInVain = async () => {
    while (performance.now() < end) {
      const begun = performance.now()
      const answer = await signedFetch(bench.service, held, "PATCH", ME, { body: { bio: "held" } })
      waits.push(performance.now() - begun)
      const { code } = await problemIn(answer)
      refused[code] = (refused[code] ?? 0) + 1
    }
  }
  const goOn = async (first: Party) => {
    let owner = first
    for (let round = 0; round === 0 || performance.now() < end; round++) {
      if (round > 0 && round % ROUNDS_OF_ONE === 0) owner = await newPayer(bench)
      waits.push(await timed(() => read(owner)))
      waits.push(await timed(() => planned(bench, owner)))
    }
  }
  await Promise.all([waitInVain(), waitInVain(), ...others.map(goOn)])
  await holder.query("ROLLBACK")
  await holder.end()
  assert.isBelow(Math.max(...waits), LONGEST_WAIT_MILLIS)
  assert.hasAllKeys(refused, ["DATABASE_UNAVAILABLE"])
  await read(held)
  report({ heldSeconds: sizes.seconds, requests: waits.length, refused, violations: 0 })
  if (asked) console.log(`longest wait ${Math.round(Math.max(...waits))} ms`)
})
