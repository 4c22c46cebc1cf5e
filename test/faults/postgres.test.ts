import { afterAll, assert, it } from "vitest"
import { callOf, planned } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { mine, newPayer, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { hashOf, signCall } from "../support/SignedCalls.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, submit } from "../support/Submissions.ts"
import { until } from "../support/Until.ts"
import { campaign } from "./Campaign.ts"
import { type Chance, chanceFrom } from "./crash/Chance.ts"
import { BREAKS, type Break, startBreakable } from "./postgres/Breakable.ts"

const { seed, sizes, report, asked } = campaign("database", { count: 10 })

const TYPED = ["DATABASE_UNAVAILABLE", "BROADCAST_PERSISTENCE_UNCERTAIN", "VERIFIER_UNAVAILABLE"]
const SEND = "eth_sendRawTransaction"

const server = await startBreakable()
const bench = await startRelayBench({ databaseUrl: server.url })

afterAll(async () => {
  await bench.stop()
  await server.stop()
})

const sleep = (millis: number) => new Promise(resolve => setTimeout(resolve, millis))

const runCase = async (kind: Break, chance: Chance) => {
  const owner = await newPayer(bench)
  const plan = await planned(bench, owner)
  const raw = await signCall(bench, owner, callOf(plan))
  const body = { rawSignedTransaction: raw }
  const idempotencyKey = freshNonce()
  const moment = chance.pick(["early", "sent", "sent", "answered"])
  const phase = chance.pick<"before" | "after">(["before", "after"])
  bench.proxy.fault({ method: SEND, phase, act: { kind: "delay", millis: 300 } })
  const answer = submit(bench.service, owner, plan, body, { idempotencyKey })
  if (moment === "early") await sleep(chance.below(80))
  if (moment === "sent")
    await Promise.race([
      answer,
      until(
        async () => timesSent(bench, raw),
        times => times > 0
      )
    ])
  if (moment === "answered") await answer
  const mend = await server.breakBy(kind)
  const told = await answer
  await mend()
  bench.proxy.clearFaults()
  if (!told.ok) assert.include(TYPED, (await problemIn(told)).code)
  const bound = await until(
    () =>
      sqlOn(server.url, "SELECT hash FROM transport_bindings WHERE plan = $1", [plan.id]).catch(
        () => undefined
      ),
    rows => rows !== undefined
  )
  if (told.ok) assert.strictEqual(bound?.[0]?.hash, hashOf(raw), "an admission is lost")
  await sqlOn(server.url, "UPDATE dispatch_leases SET expires_at = 0 WHERE plan = $1", [plan.id])
  await until(
    () => submit(bench.service, owner, plan, body, { idempotencyKey }),
    ({ status }) => status === 202
  )
  const isKnown = async () => (await rpc(bench.chain.url, "eth_getTransactionByHash", [hashOf(raw)])) !== null
  if (!(await isKnown())) {
    await sqlOn(server.url, "UPDATE dispatch_leases SET expires_at = 0 WHERE plan = $1", [plan.id])
    assert.strictEqual((await submit(bench.service, owner, plan, body)).status, 202)
  }
  const [lease] = await sqlOn(server.url, "SELECT count FROM dispatch_leases WHERE plan = $1", [plan.id])
  assert.isAtMost(timesSent(bench, raw), Number(lease?.count))
  await mine(bench)
  assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
  return told.ok ? "answered" : "refused"
}

it("a PostgreSQL that restarts, is killed, loses its backends or turns read-only amid submissions loses and doubles nothing", {
  timeout: asked ? 3_600_000 : 240_000
}, async () => {
  const seen: Record<string, number> = {}
  for (let index = 0; index < sizes.count; index++) {
    const kind = BREAKS[index % BREAKS.length] ?? "restart"
    const outcome = await runCase(kind, chanceFrom(seed + index))
    seen[`${kind} ${outcome}`] = (seen[`${kind} ${outcome}`] ?? 0) + 1
  }
  report({ cases: sizes.count, ...seen, violations: 0 })
})
