/** One trace follows a plan from the request that creates it to finality, over the end of one replica and the recovery of another. */
import { Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { BLOCKS_TO_FINALITY } from "../sponsorship/support/Executing.ts"
import { callOf, planned } from "../support/PlannedCalls.ts"
import { mine, newPayer, startRelayBench } from "../support/RelayBench.ts"
import { signCall } from "../support/SignedCalls.ts"
import { sqlOn } from "../support/Sql.ts"
import { submitted } from "../support/Submissions.ts"
import { sweep } from "../support/Sweeps.ts"
import { workerOf } from "../support/Worker.ts"
import { type Listener, listener } from "./support/Listener.ts"

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface Span {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: ReadonlyArray<Attribute>
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
  /** The process that it is of. */
  readonly instance: unknown
}

const CLIENT = 3

const bench = await startRelayBench()
let collector: Listener
let plan: Plan
let spans: ReadonlyArray<Span> = []

const valueOf = (attributes: ReadonlyArray<Attribute>, name: string): unknown =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0]

const collected = ({ bodies }: Listener): ReadonlyArray<Span> =>
  bodies.flatMap(body => {
    const [{ resource, scopeSpans }] = JSON.parse(body).resourceSpans
    const instance = valueOf(resource.attributes, "service.instance.id")
    return scopeSpans[0].spans.map((span: Omit<Span, "instance">) => ({ ...span, instance }))
  })

const traceId = () => plan.id.replaceAll("-", "")
const ofPlan = () => spans.filter(span => span.traceId === traceId())
const named = (name: string) => ofPlan().filter(span => span.name === name)
const found = ({ links }: Span) =>
  links.flatMap(link => spans.filter(span => span.spanId === link.spanId && span.traceId === link.traceId))

beforeAll(async () => {
  collector = await listener(200, "{}")
  const traced = { otlpEndpoint: Redacted.make(`http://127.0.0.1:${collector.port}`), tracePercent: 100 }
  const first = await bench.replica(traced)
  const owner = await newPayer({ ...bench, service: first })
  plan = await planned({ ...bench, service: first }, owner)
  const rawSignedTransaction = await signCall(bench, owner, callOf(plan))
  await submitted(first, owner, plan, { rawSignedTransaction })
  await first.stop()
  const second = workerOf(bench, traced)
  for (const blocks of [2, BLOCKS_TO_FINALITY]) {
    await mine(bench, blocks)
    await sqlOn(bench.service.databaseUrl, "UPDATE plans SET sweep_at = 0 WHERE sweep_at IS NOT NULL")
    await second.runPromise(sweep)
  }
  await second.dispose()
  spans = collected(collector)
})

afterAll(async () => {
  await collector.stop()
  await bench.stop()
})

describe("the trace of a plan", () => {
  it("begins with a span that is known by the plan's id alone, and is linked with the request", () => {
    const [root, ...others] = named("plan")
    assert.deepStrictEqual(others, [])
    assert.strictEqual(root?.spanId, traceId().slice(16))
    assert.isUndefined(root?.parentSpanId)
    const [creating] = root === undefined ? [] : found(root)
    const request = spans.find(
      ({ traceId: of, parentSpanId }) => of === creating?.traceId && parentSpanId === undefined
    )
    assert.strictEqual(request?.name, "POST /api/v1/plans")
    assert.strictEqual(String(valueOf(request?.attributes ?? [], "http.response.status_code")), "201")
    assert.deepInclude(creating?.links.at(-1), { traceId: traceId(), spanId: traceId().slice(16) })
  })

  it("tells what left, with the call that it left by, for the request that asked", () => {
    const [submission] = named("submission")
    assert.strictEqual(submission?.parentSpanId, traceId().slice(16))
    assert.strictEqual(valueOf(submission?.attributes ?? [], "plan.id"), plan.id)
    assert.match(String(valueOf(submission?.attributes ?? [], "transaction.hash")), /^0x[0-9a-f]{64}$/)
    const [sent] = ofPlan().filter(
      ({ attributes }) => valueOf(attributes, "rpc.method") === "eth_sendRawTransaction"
    )
    assert.strictEqual(sent?.kind, CLIENT)
    assert.strictEqual(valueOf(sent?.attributes ?? [], "rpc.system"), "jsonrpc")
    assert.strictEqual(valueOf(sent?.attributes ?? [], "chain.endpoint"), "31337/0")
    assert.strictEqual(valueOf(sent?.attributes ?? [], "http.request.method"), "POST")
    assert.strictEqual(valueOf(sent?.attributes ?? [], "server.address"), "127.0.0.1")
    const requests = submission === undefined ? [] : found(submission)
    assert.strictEqual(requests.length, 1)
  })

  it("ends with its finality, which another process saw", () => {
    const states = named("state")
    const last = states.at(-1)
    assert.strictEqual(valueOf(last?.attributes ?? [], "plan.states"), "confirmed")
    assert.isTrue(valueOf(last?.attributes ?? [], "plan.final"))
    assert.isFalse(valueOf(states[0]?.attributes ?? [], "plan.final"))
    assert.notStrictEqual(last?.instance, named("plan")[0]?.instance)
  })

  it("tells of statements and locks what system they are of, and no text", () => {
    const statements = spans.filter(
      ({ attributes }) => valueOf(attributes, "db.system.name") === "postgresql"
    )
    assert.isAbove(statements.length, 0)
    assert.isTrue(spans.every(({ attributes }) => valueOf(attributes, "db.query.text") === undefined))
  })
})
