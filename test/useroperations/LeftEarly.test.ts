/** Who hangs up while an operation is prepared or sent stops nothing that has left, reserves nothing that has not, and finds with the same key what came of it. */
import { afterAll, afterEach, assert, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import type { ProxyFault, RecordingProxy } from "../support/RecordingProxy.ts"
import { freshNonce, type Party, signedInit } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import {
  askOperation,
  boundWallet,
  type ShownOperation,
  startOperatingBench,
  timesSent,
  walletPlan
} from "./support/Operating.ts"
import { SEND, sendingOn } from "./support/Sending.ts"

const PATH = "/api/v1/user-operations"

const bench = await startOperatingBench()
const { service, bundling, proxy } = bench
const { prepared, send, executed } = sendingOn(bench)

afterAll(() => bench.stop())
afterEach(() => {
  for (const each of [proxy, bundling]) each.clearFaults()
})

interface Asking {
  readonly by: Party
  readonly path: string
  readonly body: unknown
  readonly idempotencyKey: string
}

/** Gone as soon as this question is asked, which is answered only after. */
const leftWhile = async (asked: RecordingProxy, method: string, asking: Asking) => {
  const leaving = new AbortController()
  let letGo = () => {}
  const released = new Promise<void>(resolve => {
    letGo = resolve
  })
  const reached = new Promise<void>(resolve => {
    const act: ProxyFault["act"] = { kind: "hold", reached: resolve, released }
    asked.fault({ method, phase: "after", act })
  })
  const { by, path, body, idempotencyKey } = asking
  const init = await signedInit(service, by, "POST", path, { body, idempotencyKey })
  const gone = fetch(`${service.url}${path}`, { ...init, signal: leaving.signal }).then(
    () => "answered",
    () => "gone"
  )
  await reached
  leaving.abort()
  assert.strictEqual(await gone, "gone")
  return letGo
}

const sending = ({ owner, operation, signature }: Awaited<ReturnType<typeof prepared>>): Asking => ({
  by: owner,
  path: `${PATH}/${operation.id}/submissions`,
  body: { signature },
  idempotencyKey: freshNonce()
})

/** Of the one sending; null until the bundler's answer is stored. */
const outcomeOf = async ({ operation }: Pick<Awaited<ReturnType<typeof prepared>>, "operation">) => {
  const select = "SELECT outcome FROM operation_sends WHERE operation = $1"
  const [row] = await sqlOn(service.databaseUrl, select, [operation.id])
  return row === undefined ? assert.fail("nothing was claimed") : row.outcome
}

describe("who hangs up", () => {
  it.each([
    ["before the answer of its chain", true],
    ["after it", false]
  ])("while the wallet is looked at, and asks again %s, has one operation leave", async (_, isBefore) => {
    const one = await prepared()
    const asking = sending(one)
    const letGo = await leftWhile(proxy, "eth_simulateV1", asking)
    if (!isBefore) letGo()
    const answer = await send(one, { idempotencyKey: asking.idempotencyKey })
    letGo()
    const told: ShownOperation = await answer.json()
    assert.strictEqual(answer.status, 202, JSON.stringify(told))
    await executed(one.operation.operation)
    assert.strictEqual(timesSent(bench, one.operation), 1)
  })

  it("while the bundler takes it stops nothing: what it says is stored, and is told for the same key", async () => {
    const one = await prepared()
    const asking = sending(one)
    const letGo = await leftWhile(bundling, SEND, asking)
    assert.isNull(await outcomeOf(one))
    letGo()
    await until(
      () => outcomeOf(one),
      outcome => outcome === "accepted"
    )
    const answer = await send(one, { idempotencyKey: asking.idempotencyKey })
    assert.deepStrictEqual([answer.status, answer.headers.get("idempotent-replayed")], [202, "true"])
    const told: ShownOperation = await answer.json()
    assert.notInclude(["prepared", "submitting", "submission_unknown"], told.state)
    await executed(one.operation.operation)
    assert.strictEqual(timesSent(bench, one.operation), 1)
  })

  it("while its gas is estimated keeps one operation at most, and has the same for the same key", async () => {
    const bound = await boundWallet(bench)
    const plan: Plan = await walletPlan(bench, bound)
    const body = { planId: plan.id, stepIndexes: [0] }
    const asking = { by: bound.owner, path: PATH, body, idempotencyKey: freshNonce() }
    const letGo = await leftWhile(bundling, "eth_estimateUserOperationGas", asking)
    letGo()
    const { idempotencyKey } = asking
    const first = await askOperation(service, bound.owner, body, { idempotencyKey })
    const again = await askOperation(service, bound.owner, body, { idempotencyKey })
    assert.deepStrictEqual([first.status, again.status], [201, 201])
    assert.strictEqual(await first.text(), await again.text())
    const kept = "SELECT count(*)::integer AS count FROM user_operations WHERE plan = $1"
    const [row] = await sqlOn(service.databaseUrl, kept, [plan.id])
    assert.strictEqual(row?.count, 1)
  })
})
