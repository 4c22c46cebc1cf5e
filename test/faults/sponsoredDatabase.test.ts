/** A PostgreSQL that breaks or is held while a sponsorship is published. */
import { afterAll, assert, it } from "vitest"
import { askPublication } from "../sponsorship/support/Signing.ts"
import { problemIn } from "../support/Problem.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { connected, sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { campaign } from "./Campaign.ts"
import { type Chance, chanceFrom } from "./crash/Chance.ts"
import { startBreakable } from "./postgres/Breakable.ts"
import {
  brokenOn,
  lookAt,
  publicationsOf,
  type Ready,
  readyToPublish,
  startSponsoredStand
} from "./sponsored/Stand.ts"

/** Held for longer than anybody waits, where a command asks for it. */
const { seed, sizes, report, asked } = campaign("sponsored-database", { count: 4, heldSeconds: 1 })

const TYPED = ["DATABASE_UNAVAILABLE", "DISPATCH_PERSISTENCE_UNCERTAIN", "VERIFIER_UNAVAILABLE"]
const KINDS = ["kill", "read-only", "claim held", "outcome held"] as const
type Kind = (typeof KINDS)[number]

const server = await startBreakable()
const stand = await startSponsoredStand({ databaseUrl: server.url })
const { bench, provider } = stand

afterAll(async () => {
  await stand.stop()
  await server.stop()
})

const sleep = (millis: number) => new Promise(resolve => setTimeout(resolve, millis))

/** Locks rows until it is mended. */
const hold = async (text: string, values: ReadonlyArray<string>) => {
  const holder = await connected(server.url)
  await holder.query("BEGIN")
  await holder.query(text, [...values])
  return async () => {
    await holder.query("ROLLBACK")
    await holder.end()
  }
}

const breakBy = (kind: Kind, { owner, sponsorship }: Ready) => {
  if (kind === "claim held") return hold("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [owner.accountId])
  if (kind === "outcome held")
    return hold("SELECT 1 FROM publications WHERE sponsorship = $1 FOR UPDATE", [sponsorship.id])
  return server.breakBy(kind)
}

const MOMENTS: Readonly<Record<Kind, readonly ["early" | "posted", ...Array<"early" | "posted">]>> = {
  kill: ["early", "posted", "posted"],
  "read-only": ["early", "posted", "posted"],
  "claim held": ["early"],
  "outcome held": ["posted"]
}

/** Whenever it is back, whatever it holds. */
const storedOf = ({ sponsorship: { id } }: Ready) =>
  until(
    () =>
      sqlOn(server.url, "SELECT outcome FROM publications WHERE sponsorship = $1", [id]).catch(
        () => undefined
      ),
    rows => rows !== undefined
  )

const codeOf = async (answer: Response): Promise<string> =>
  answer.status === 202 ? "ADMITTED" : (await problemIn(answer)).code

const runCase = async (kind: Kind, chance: Chance) => {
  // A plan lives no longer than the block that it was prepared at, and nothing else mines here.
  const ready = await readyToPublish(stand, { blocks: 1 })
  const { owner, sponsorship, signatures } = ready
  const ask = (idempotencyKey: string) =>
    askPublication(bench.service, owner, sponsorship, { signatures }, { idempotencyKey })
  const moment = chance.pick(MOMENTS[kind])
  provider.fault({ phase: chance.pick(["before", "after"]), act: { kind: "delay", millis: 300 } })
  const key = freshNonce()
  const early = moment === "early" && kind === "claim held" ? await breakBy(kind, ready) : undefined
  const answer = ask(key)
  if (early === undefined && moment === "early") await sleep(chance.below(60))
  if (moment === "posted")
    await Promise.race([
      answer,
      until(
        async () => publicationsOf(stand, ready).length,
        times => times > 0
      )
    ])
  const mend = early ?? (await breakBy(kind, ready))
  const held = kind.endsWith("held") ? sleep(sizes.heldSeconds * 1000) : undefined
  await Promise.race([answer, held ?? answer])
  await held
  await mend()
  const told = await answer
  const before = await storedOf(ready)
  if (told.ok) assert.strictEqual(before?.length, 1, "an admission is lost")
  else assert.include(TYPED, (await problemIn(told)).code)
  const left = publicationsOf(stand, ready).length
  await until(
    async () => codeOf(await ask(key)),
    code => code === "ADMITTED"
  )
  const { state } = await lookAt(stand, ready)
  assert.include(["submitting", "submission_unknown", "quote_unverified", "funding_quote_available"], state)
  const times = publicationsOf(stand, ready).length
  assert.strictEqual(times, before?.length === 0 ? 1 : left, "published again, or never")
  return told.ok ? "answered" : "refused"
}

it("a PostgreSQL that is killed, turns read-only or is held amid publications loses and doubles nothing", {
  timeout: asked ? 3_600_000 : 240_000
}, async () => {
  const seen: Record<string, number> = {}
  for (let index = 0; index < sizes.count; index++) {
    const kind = KINDS[index % KINDS.length] ?? "kill"
    const outcome = await runCase(kind, chanceFrom(seed + index))
    seen[`${kind} ${outcome}`] = (seen[`${kind} ${outcome}`] ?? 0) + 1
  }
  const broken = await brokenOn(stand)
  report({ cases: sizes.count, heldSeconds: sizes.heldSeconds, ...seen, violations: broken.length })
  assert.deepStrictEqual(broken, [])
})
