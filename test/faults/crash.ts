/** Kills the service again and again amid submissions and checks that nothing was sent twice, lost or invented: `--kills 200 --seed 1`. */
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { audit } from "./crash/Audit.ts"
import { chanceFrom } from "./crash/Chance.ts"
import { makeKiller, makeSignal } from "./crash/Killer.ts"
import type { Running } from "./crash/Processes.ts"
import { emptyNotebook } from "./crash/Told.ts"
import { makeWallet } from "./crash/Wallet.ts"
import { makeWorker } from "./crash/Worker.ts"
import { createWorld, type World } from "./crash/World.ts"

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    seed: { type: "string" },
    clients: { type: "string", default: "6" }
  }
})
const kills = Number(values.kills)
const clients = Number(values.clients)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const BATCH = 20
const FIRST_WALLET = 4
const MINING_MILLIS = 150
const QUIET_MILLIS = 60_000

const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

const until = async (what: string, holds: () => Promise<boolean> | boolean, millis = QUIET_MILLIS) => {
  const end = Date.now() + millis
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what} did not come about in ${millis / 1000} s`)
    await sleep(50)
  }
}

/** Lets clients speak or holds them, and knows when none waits for an answer. */
const makeTurnstile = () => {
  let held: Promise<void> | undefined
  let release = () => {}
  const hold = () => {
    held = new Promise(resolve => {
      release = resolve
    })
  }
  const letGo = () => {
    held = undefined
    release()
  }
  return { open: async () => held, hold, letGo }
}

const mineAlways = (world: World) => {
  const mine = () =>
    fetch(world.chainUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "evm_mine", params: [] })
    }).then(
      answer => answer.text(),
      () => ""
    )
  return setInterval(mine, MINING_MILLIS)
}

/** Steps that the chain has deep enough and that the database does not call confirmed yet. */
const unreconciled = async (world: World): Promise<number> => {
  const rows = await world.sql<{ open: number }>(
    `SELECT count(*) AS open FROM dispatch_leases l JOIN plan_steps s ON s.plan = l.plan AND s.step = l.step
     WHERE l.outcome IS NOT NULL AND l.outcome <> 'unknown' AND s.observed IS DISTINCT FROM 'confirmed'`
  )
  return rows[0]?.open ?? 0
}

const world = await createWorld(FIRST_WALLET + clients)
const notebook = emptyNotebook()
const chance = chanceFrom(seed)
const turnstile = makeTurnstile()
const signals = { submission: makeSignal(), claim: makeSignal() }
let service: Running = await world.startService()
await world.onClaim(signals.claim.give)
const mining = mineAlways(world)
const killer = makeKiller(world, notebook, signals, chance)
let isOn = true
let sentByRecovery = 0
const begun = Date.now()
console.log(`seed ${seed}: ${kills} kills, ${clients} clients`)

const workers = Array.from({ length: clients }, (_, index) =>
  makeWorker(makeWallet(FIRST_WALLET + index, world.chainUrl), {
    url: world.url,
    manifest: world.manifest,
    gate: turnstile,
    notebook,
    chance: chanceFrom(seed + 1 + index),
    goesOn: () => isOn,
    onSubmission: signals.submission.give
  }).run()
)
const all = Promise.all(workers)
all.catch(failure => {
  console.error(failure)
  process.exit(1)
})

/** With every client silent and a fresh process, whatever is reconciled is reconciled by recovery, which must not send. */
const reconcile = async () => {
  turnstile.hold()
  await sleep(200)
  await service.kill()
  await sleep(200)
  service = await world.startService()
  const before = world.sent().length
  await until("recovery", async () => (await unreconciled(world)) === 0)
  sentByRecovery += world.sent().length - before
  turnstile.letGo()
}

for (let kill = 1; kill <= kills; kill++) {
  service = await killer.killOnce(service)
  if (kill % BATCH !== 0 && kill !== kills) continue
  await reconcile()
  const seconds = Math.round((Date.now() - begun) / 1000)
  console.log(`${kill} kills, ${notebook.told.length} answers, ${world.sent().length} sends, ${seconds} s`)
}
isOn = false
await killer.expireLeases()
await until("the clients' end", () => Promise.race([all.then(() => true), sleep(0).then(() => false)]))
await until("the last confirmations", async () => (await unreconciled(world)) === 0)

const verdicts = await audit(world, notebook, sentByRecovery)
const violations = verdicts.reduce((sum, verdict) => sum + verdict.violations.length, 0)
const [counts] = await world.sql<Record<string, number>>(
  `SELECT (SELECT count(*) FROM plans) AS plans, (SELECT count(*) FROM transport_bindings) AS admitted,
     (SELECT count(*) FROM dispatch_leases WHERE count > 1) AS reclaimed,
     (SELECT count(*) FROM bot_grants WHERE revoked_at IS NOT NULL) AS revoked`
)
clearInterval(mining)
await service.kill()
const result = {
  campaign: "crash",
  at: new Date().toISOString(),
  seed,
  kills,
  seconds: Math.round((Date.now() - begun) / 1000),
  ...counts,
  sends: world.sent().length,
  answers: notebook.told.length,
  unanswered: notebook.lost.count,
  directly: notebook.direct.size,
  landings: killer.landings,
  violations
}
await world.stop()
for (const { invariant, violations: found } of verdicts)
  console.log(
    `${found.length === 0 ? "holds " : "BROKEN"} ${invariant}${found.map(line => `\n         ${line}`).join("")}`
  )
console.log(JSON.stringify(result, null, 2))
appendFileSync(join(packageRoot, "RELIABILITY.json"), `${JSON.stringify(result)}\n`)
process.exit(violations === 0 ? 0 : 1)
