/** A PostgreSQL that breaks or is held while a session is prepared, enabled, used and revoked. */
import { afterAll, assert, it } from "vitest"
import { problemIn } from "../support/Problem.ts"
import { connected, sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { campaign } from "./Campaign.ts"
import { brokenOn, startCarriedStand } from "./carried/Stand.ts"
import { type Chance, chanceFrom } from "./crash/Chance.ts"
import { heldBroken } from "./held/Broken.ts"
import { assertEnded, beginFlow, type HeldFlow, STEPS, type Step } from "./held/Flow.ts"
import { startBreakable } from "./postgres/Breakable.ts"

/** Held for longer than anybody waits, where a command asks for it. */
const { seed, sizes, report, asked } = campaign("held-database", { count: 3, heldSeconds: 1 })

const TYPED = ["DATABASE_UNAVAILABLE", "DISPATCH_PERSISTENCE_UNCERTAIN", "VERIFIER_UNAVAILABLE"]
const KINDS = ["kill", "read-only", "held"] as const
type Kind = (typeof KINDS)[number]
const STRUCK: readonly [Step, ...Array<Step>] = [
  "send",
  "activation",
  "prepare",
  "send",
  "revocation",
  "operate"
]
const LONGEST_MILLIS = 120

const server = await startBreakable()
const stand = await startCarriedStand({ databaseUrl: server.url }, 0)

afterAll(async () => {
  await stand.stop()
  await server.stop()
})

const sleep = (millis: number) => new Promise(resolve => setTimeout(resolve, millis))

/** Every account's row, until it is mended. */
const hold = async () => {
  const holder = await connected(server.url)
  await holder.query("BEGIN")
  await holder.query("SELECT 1 FROM accounts FOR UPDATE")
  return async () => {
    await holder.query("ROLLBACK")
    await holder.end()
  }
}

const breakBy = (kind: Kind) => (kind === "held" ? hold() : server.breakBy(kind))

const idIn = async (answer: Response): Promise<string> => {
  const told = await answer.clone().json()
  return String(told.plan?.id ?? told.id)
}

const insisted = (flow: HeldFlow, step: Step) =>
  until(
    () => flow.ask(step),
    answer => answer.ok
  )

/** Broken before its request, or while it is on its way. */
const struckAsk = async (flow: HeldFlow, step: Step, kind: Kind, chance: Chance) => {
  const isEarly = kind === "held" || chance.happens(0.3)
  const early = isEarly ? await breakBy(kind) : undefined
  const asking = flow.ask(step)
  await sleep(early === undefined ? chance.below(LONGEST_MILLIS) : 0)
  const mend = early ?? (await breakBy(kind))
  if (kind === "held") await Promise.race([asking, sleep(sizes.heldSeconds * 1_000)])
  else await asking
  await mend()
  return asking
}

const runCase = async (index: number, chance: Chance): Promise<string> => {
  const kind = KINDS[index % KINDS.length] ?? "kill"
  const struck = STRUCK[(index + Math.floor(index / KINDS.length)) % STRUCK.length] ?? "send"
  const flow = await beginFlow(stand)
  let outcome = ""
  for (const step of STEPS) {
    if (step !== struck) {
      await flow.done(step, await insisted(flow, step))
      continue
    }
    const answer = await struckAsk(flow, step, kind, chance)
    outcome = `${kind} ${answer.ok ? "answered" : "refused"}`
    if (!answer.ok) assert.include(TYPED, (await problemIn(answer.clone())).code)
    await until(
      () => sqlOn(server.url, "SELECT 1").catch(() => undefined),
      rows => rows !== undefined
    )
    const again = await insisted(flow, step)
    if (answer.ok) assert.strictEqual(await idIn(again), await idIn(answer), "an admission is lost")
    await flow.done(step, again)
  }
  await assertEnded(flow)
  return `${struck} ${outcome}`
}

it("a PostgreSQL that is killed, turns read-only or is held loses no session, no plan and no use, and doubles none", {
  timeout: asked ? 3_600_000 : 240_000
}, async () => {
  const seen: Record<string, number> = {}
  const broken: Array<string> = []
  for (let index = 0; index < sizes.count; index++) {
    const outcome = await runCase(index, chanceFrom(seed + index)).catch((failure: unknown) => {
      broken.push(`${seed + index}: ${failure instanceof Error ? failure.stack : failure}`)
      return "broken"
    })
    seen[outcome] = (seen[outcome] ?? 0) + 1
    if (asked) console.log(`${index + 1} cases, ${broken.length} broken`)
  }
  broken.push(...(await heldBroken(stand)), ...(await brokenOn(stand)))
  report({ cases: sizes.count, heldSeconds: sizes.heldSeconds, seen, violations: broken.length })
  assert.deepStrictEqual(broken, [])
})
