/** Logs, traces, metrics and answers tell what became of a sponsorship, and nothing that was signed or that its provider said. */
import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"
import { Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import type { Lie } from "../../sandbox/provider/Faults.ts"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { executeCalldata } from "../../src/values/ForwardRequest.ts"
import { arm, disarm } from "../provider/support/Provider.ts"
import { mine } from "../support/RelayBench.ts"
import type { RunningService } from "../support/Service.ts"
import { freshNonce, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { type Listener, listener } from "../telemetry/support/Listener.ts"
import { execute, leave } from "./support/Executing.ts"
import { lookAnew, oncePublished, publishedAnew, startQuotedBench } from "./support/Quoted.ts"
import { askPublication, signAll } from "./support/Signing.ts"
import { authorizationOf } from "./support/Sponsored.ts"

const HEADER = "canary-provider-header"

const bench = await startQuotedBench()
const { provider } = bench
const logged: Array<string> = []
const answers: Array<string> = []
const secrets: Array<string> = [HEADER]

let otlp: Listener
let service: RunningService
let made: Awaited<ReturnType<typeof publishedAnew>>
let metrics = ""

/** Each request is one of those that are traced. */
const traceAll = () => {
  const random = crypto.randomUUID
  const spy = vi.spyOn(crypto, "randomUUID")
  spy.mockImplementation(() => `00${random().slice(2)}` as ReturnType<typeof random>)
  syncBuiltinESMExports()
}

const keepLogs = () =>
  vi.spyOn(process.stdout, "write").mockImplementation((text, ...rest) => {
    logged.push(String(text))
    for (const done of rest) if (typeof done === "function") done()
    return true
  })

const asked = async (...request: Parameters<typeof signedFetch>) => {
  const answer = await signedFetch(...request)
  answers.push(await answer.text())
}

const looked = async (owner: Party, sponsorship: Sponsorship) => {
  const shown = await lookAnew({ service }, owner, sponsorship)
  answers.push(JSON.stringify(shown))
  return shown
}

const funding = (owner: Party, { id }: Sponsorship) =>
  asked(service, owner, "POST", `/api/v1/sponsorships/${id}/funding-plans`, {
    body: { chainId: 31337, payer: owner.key.address },
    idempotencyKey: freshNonce()
  })

const told: ReadonlyArray<readonly [Lie, "publication" | "bundle"]> = [
  ["wire-html", "bundle"],
  ["request-byte", "bundle"],
  ["state-long", "bundle"],
  ["wire-500", "bundle"]
]

/** Through each phase, honest and lied to. */
const exercise = async () => {
  await arm(provider, { lie: "executes-never", path: "publication" })
  made = await publishedAnew({ ...bench, service })
  const { owner, prepared } = made
  const signatures = await signAll(owner.key, prepared)
  const [signature = assert.fail("no signature")] = signatures
  secrets.push(signature.slice(2), executeCalldata(authorizationOf(prepared).message, signature).slice(2))
  answers.push(JSON.stringify(made.sponsorship))
  answers.push(await (await askPublication(service, owner, prepared, { signatures })).text())
  const strange = `0x${"decade".repeat(21)}dead1b` as const
  secrets.push(strange.slice(2))
  answers.push(await (await askPublication(service, owner, prepared, { signatures: [strange] })).text())
  await oncePublished({ ...bench, service }, owner, made.sponsorship, undefined)
  for (const [lie, path] of told) {
    await arm(provider, { lie, path, times: 100 })
    await looked(owner, made.sponsorship)
    await funding(owner, made.sponsorship)
    await disarm(provider)
  }
  await funding(owner, made.sponsorship)
  const call = executeCalldata(authorizationOf(prepared).message, signature)
  const hash = await execute(bench, { ...made, calls: [call] })
  await looked(owner, made.sponsorship)
  await leave(bench, hash)
  await looked(owner, made.sponsorship)
  await execute(bench, { ...made, calls: [call] })
  await mine(bench)
  assert.strictEqual((await looked(owner, made.sponsorship)).state, "completed")
  await arm(provider, { lie: "wire-html", path: "publication" })
  const lost = await publishedAnew({ ...bench, service })
  answers.push(JSON.stringify(lost.sponsorship))
  for (const each of await signAll(lost.owner.key, lost.prepared)) secrets.push(each.slice(2))
}

const tokens = async (): Promise<ReadonlyArray<string>> => {
  const rows = await sqlOn(bench.service.databaseUrl, "SELECT token FROM publications")
  return rows.map(({ token }) => String(token))
}

beforeAll(async () => {
  otlp = await listener(200, "{}")
  keepLogs()
  traceAll()
  service = await bench.sponsoringReplica(
    { providerHeaders: Redacted.make({ authorization: HEADER }) },
    { log: { level: "debug", format: "json" }, otlpEndpoint: Redacted.make(`http://127.0.0.1:${otlp.port}`) }
  )
  await exercise()
  secrets.push(...(await tokens()), "<!doctype html>", "x".repeat(65))
  metrics = await (await fetch(`${service.opsUrl}/metrics`)).text()
  await service.stop()
})

afterAll(async () => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  await otlp.stop()
  await bench.stop()
})

const quoted = (texts: ReadonlyArray<string>) => {
  const text = texts.join("\n").toLowerCase()
  return secrets.filter(secret => text.includes(secret.toLowerCase()))
}

describe("what was signed for a sponsorship, and what its provider said", () => {
  it("is in no log line, however much is logged", () => {
    assert.isAbove(logged.length, 10)
    assert.deepStrictEqual(quoted(logged), [])
  })

  it("is in no span", () => assert.deepStrictEqual(quoted(otlp.bodies), []))
  it("is in no metric", () => assert.deepStrictEqual(quoted([metrics]), []))

  it("is in no answer and no problem", () => {
    assert.isTrue(answers.some(answer => answer.includes("QUOTE_UNVERIFIED")))
    assert.isTrue(answers.some(answer => answer.includes("PROVIDER_INVALID_RESPONSE")))
    assert.deepStrictEqual(quoted(answers), [])
  })
})

interface Span {
  readonly name: string
  readonly attributes: ReadonlyArray<{
    readonly key: string
    readonly value: { readonly stringValue?: string }
  }>
}

const spans = (): ReadonlyArray<Span> =>
  otlp.bodies.flatMap(body => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)

it.each(["prepare", "simulate", "claim", "publish", "settle", "locate", "prove"])(
  "its %s is a span that names the plan and the sponsorship",
  name => {
    const attributes = spans()
      .filter(span => span.name === name)
      .map(span => new Map(span.attributes.map(({ key, value }) => [key, value.stringValue])))
    const own = attributes.filter(
      each => each.get("plan.id") === made.plan.id && each.get("sponsorship.id") === made.sponsorship.id
    )
    assert.isNotEmpty(own, JSON.stringify(attributes.map(each => [...each])))
  }
)
