import { afterAll, assert, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { callOf, planned, stepOf } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { mine, newPayer, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { chainSettings } from "../support/Sandbox.ts"
import { startService } from "../support/Service.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, shown, submit, submitted } from "../support/Submissions.ts"
import { startTcpProxy } from "../support/TcpProxy.ts"
import { until } from "../support/Until.ts"

const log = { level: "error", format: "json" } as const
const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }

const bench = await startRelayBench()
const url = new URL(bench.service.databaseUrl)
const link = await startTcpProxy(Number(url.port))
url.host = `127.0.0.1:${link.port}`
const settings = { chains: chainSettings(bench.proxy.url), audience: bench.service.audience, log, quotas }
const linked = await startService({ databaseUrl: url.href, overlays: [bench.overlay], settings })

afterAll(async () => {
  link.restore()
  await linked.stop()
  await link.close()
  await bench.stop()
})

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  sqlOn(bench.service.databaseUrl, text, values)

/** A claim that was cut off may still be committed after its submission was answered, so it is done again for each look. */
const endLeases = ({ id }: Plan) => sql("UPDATE dispatch_leases SET expires_at = 0 WHERE plan = $1", [id])

const sleep = (millis: number) => new Promise(resolve => setTimeout(resolve, millis))

const TYPED = ["DATABASE_UNAVAILABLE", "BROADCAST_PERSISTENCE_UNCERTAIN"]

describe("a database that leaves in the middle of a submission", () => {
  it.each(Array.from({ length: 24 }, (_, cut) => cut * 2))(
    "after %i ms loses and doubles nothing",
    async millis => {
      const owner = await newPayer(bench)
      const plan = await planned(bench, owner)
      const raw = await signCall(bench, owner, callOf(plan))
      const body = { rawSignedTransaction: raw }
      const idempotencyKey = freshNonce()
      const answer = submit(linked, owner, plan, body, { idempotencyKey })
      await sleep(millis)
      link.cut()
      const told = await answer
      link.restore()
      if (told.ok) assert.isDefined(stepOf(await shown(bench.service, owner, plan)).transaction)
      else assert.include(TYPED, (await problemIn(told)).code)
      const again = await until(
        () => submit(linked, owner, plan, body, { idempotencyKey }),
        ({ status }) => status === 202
      )
      assert.strictEqual(
        (await again.json()).dispatch.hash,
        stepOf(await shown(bench.service, owner, plan)).transaction?.hash
      )
      const { dispatch } = await until(
        async () => {
          await endLeases(plan)
          return submitted(bench.service, owner, plan, body)
        },
        ({ dispatch: { status } }) => status !== "in-flight"
      )
      assert.include(["submitted", "already-observed"], dispatch.status)
      assert.isAtMost(timesSent(bench, raw), dispatch.count)
      await mine(bench)
      assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
    }
  )
})

describe("an orderly stop", () => {
  it("waits for a broadcast that is under way and stores its outcome", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    const replica = await bench.replica()
    bench.proxy.fault({
      method: "eth_sendRawTransaction",
      phase: "after",
      act: { kind: "delay", millis: 800 }
    })
    const answer = submit(replica, owner, plan, { rawSignedTransaction: raw })
    await until(
      async () => timesSent(bench, raw),
      times => times === 1
    )
    await replica.stop()
    assert.strictEqual((await answer).status, 202)
    assert.strictEqual(stepOf(await shown(bench.service, owner, plan)).dispatch?.status, "submitted")
  })
})

describe("many refreshes at once", () => {
  it("all answer, while blocks come in", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    await submitted(bench.service, owner, plan, {
      rawSignedTransaction: await signCall(bench, owner, callOf(plan))
    })
    const target = `/api/v1/plans/${plan.id}?refresh=true`
    const answers = Array.from({ length: 30 }, (_, index) =>
      signedFetch(index % 2 === 0 ? bench.service : linked, owner, "GET", target)
    )
    await mine(bench, 1)
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    assert.deepStrictEqual([...new Set(statuses)], [200])
  })
})
