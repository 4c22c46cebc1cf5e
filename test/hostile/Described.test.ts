/** S1: every described request with one thing in it changed: what the description does not allow is refused, and nothing fails. */
import { readFileSync } from "node:fs"
import { Redacted } from "effect"
import fc from "fast-check"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, describe, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { fastHeaders, namedOwner } from "../support/FastSign.ts"
import { validatorOf } from "../support/OpenApiResponses.ts"
import { problemIn } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"

const RUNS = 2500
/** Nobody listens there. */
const NOWHERE = Redacted.make("http://127.0.0.1:9")
const REQUESTS_OF_AN_OWNER = 500
const SEED = Number(process.env.HOSTILE_SEED ?? Date.now() % 2 ** 31)

interface Parameter {
  readonly name: string
  readonly in: "path" | "query"
  readonly required: boolean
  readonly schema: { readonly type?: string; readonly contentSchema?: unknown }
  readonly example?: unknown
}

interface Described {
  readonly parameters: ReadonlyArray<Parameter | { readonly $ref: string }>
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: unknown } } }
  readonly security?: unknown
}

const document: { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> } =
  JSON.parse(readFileSync(new URL("../../schema/openapi.json", import.meta.url), "utf8"))

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
)

type Operation = (typeof operations)[number]

const nasty = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53 - 1,
    1e308,
    "",
    "0",
    "-0",
    "01",
    "1e3",
    "\u0000",
    "😀"
  ),
  fc.constantFrom<unknown>(
    "0x",
    `0x${"0".repeat(40)}`,
    "9".repeat(78),
    "a".repeat(5000),
    "toString",
    "é",
    [],
    {}
  ),
  fc.constantFrom<unknown>([null], [[[]]], { a: 1 }, { toString: 1 }, { length: 1 }, " 1", "1\n", "TRUE")
)

type Change = { readonly kind: "replace" | "drop" | "add"; readonly at: number; readonly value: unknown }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const placesIn = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => [
  path,
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => placesIn(member, [...path, name]))
    : [])
]

/** The value with the place changed; undefined where it is to be gone. */
const changed = (
  value: unknown,
  [name, ...rest]: ReadonlyArray<string>,
  { kind, value: by }: Change
): unknown => {
  if (name === undefined) {
    if (kind === "add" && Array.isArray(value)) return [...value, by]
    if (kind === "add" && isRecord(value)) return { ...value, further: by }
    return kind === "drop" ? undefined : by
  }
  if (Array.isArray(value)) {
    const items = value.map((item, index) =>
      String(index) === name ? changed(item, rest, { kind, at: 0, value: by }) : item
    )
    return items.filter(item => item !== undefined)
  }
  if (!isRecord(value)) return value
  return { ...value, [name]: changed(value[name], rest, { kind, at: 0, value: by }) }
}

const changedAnywhere = (value: unknown, change: Change): unknown => {
  const places = placesIn(value)
  return changed(value, places[change.at % places.length] ?? [], change)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the text of a parameter means by its schema; a symbol where it means nothing. */
const meaningOf = ({ schema }: Parameter, text: string): unknown => {
  if (schema.contentSchema !== undefined) return parse(text) ?? Symbol("no JSON")
  if (schema.type === "integer") return /^(?:0|[1-9][0-9]*)$/.test(text) ? Number(text) : Symbol("no integer")
  if (schema.type === "boolean")
    return parse(text) === (text === "true") ? text === "true" : Symbol("no boolean")
  return text
}

interface Asked {
  readonly target: string
  readonly body: unknown
  readonly isAllowed: boolean
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

const ask = ({ path, method, operation }: Operation, change: Change): Asked => {
  const own = operation.parameters.flatMap((parameter, index) =>
    "$ref" in parameter ? [] : [{ parameter, index }]
  )
  const inQuery = own.filter(({ parameter }) => parameter.in === "query")
  const example = operation.requestBody?.content["application/json"].example
  const which = example === undefined ? change.at % Math.max(1, inQuery.length) : -1
  const place = ["paths", path, method]
  let isAllowed = true
  const pairs = inQuery.flatMap(({ parameter, index }, position) => {
    const { name, required, schema } = parameter
    const isChosen = position === which
    if (!isChosen && !required) return []
    const given =
      isChosen && schema.contentSchema !== undefined ? parse(textOf(parameter.example)) : parameter.example
    const value = isChosen ? changedAnywhere(given, { ...change, at: Math.floor(change.at / 7) }) : given
    if (value === undefined || textOf(value) === "") {
      isAllowed &&= !required && value === undefined
      return value === undefined ? [] : [`${name}=`]
    }
    const text = schema.contentSchema !== undefined && isChosen ? JSON.stringify(value) : textOf(value)
    const at = [
      ...place,
      "parameters",
      String(index),
      "schema",
      ...(schema.contentSchema === undefined ? [] : ["contentSchema"])
    ]
    isAllowed &&= validatorOf(at)(meaningOf(parameter, text)).length === 0
    return [`${name}=${encodeURIComponent(text)}`]
  })
  const body = example === undefined ? undefined : changedAnywhere(example, change)
  if (example !== undefined)
    isAllowed &&=
      validatorOf([...place, "requestBody", "content", "application/json", "schema"])(body).length === 0
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    textOf(own.find(({ parameter }) => parameter.in === "path" && parameter.name === name)?.parameter.example)
  )
  const url = new URL(`http://service${filled}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`)
  return { target: `${url.pathname}${url.search}`, body, isAllowed }
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom<Change["kind"]>("replace", "replace", "drop", "add"),
  at: fc.nat(10_000),
  value: nasty
})

let sent = 0

const indexer = { mainnetUrl: NOWHERE, testnetUrl: NOWHERE, headers: Redacted.make({}) }
const service = await startService({
  settings: {
    indexer,
    log: { level: "error", format: "json" },
    quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }
  }
})
const owners = Array.from({ length: Math.ceil(RUNS / REQUESTS_OF_AN_OWNER) }, (_, index) =>
  namedOwner(`described ${index}`)
)
for (const owner of owners)
  await enroll(service, { ...owner, key: privateKeyToAccount(owner.key.privateKey) })

afterAll(() => service.stop())

const UPSTREAM = new Set([
  "INDEXER_UNAVAILABLE",
  "SMART_ACCOUNTS_UNAVAILABLE",
  "SESSIONS_UNAVAILABLE",
  "WALLET_PAYMENTS_UNAVAILABLE"
])

const judge = async (which: number, made: Change): Promise<void> => {
  const operation = operations[which] ?? assert.fail()
  const { target, body, isAllowed } = ask(operation, made)
  if (target.length > 4096) return
  const owner = owners[Math.floor(sent / REQUESTS_OF_AN_OWNER)] ?? assert.fail()
  sent += 1
  const method = operation.method.toUpperCase()
  const content = operation.operation.requestBody === undefined ? undefined : (JSON.stringify(body) ?? "")
  const carries = content === undefined ? {} : { body: content, contentType: "application/json" }
  const signing = { audience: service.audience, method, target, idempotencyKey: `key-${sent}`, ...carries }
  const answer = await fetch(`${service.url}${target}`, {
    method,
    headers: fastHeaders(owner, signing),
    ...(content === undefined ? {} : { body: content })
  })
  const said = `${method} ${target} ${content ?? ""}`
  if (answer.ok) {
    await answer.arrayBuffer()
    return assert.isTrue(isAllowed, `accepted, though not described: ${said}`)
  }
  const problem = await problemIn(answer, service.audience)
  const text = `${said}: ${JSON.stringify(problem)}`
  if (!isAllowed) assert.include([400, 404], problem.status, text)
  if (!UPSTREAM.has(problem.code)) assert.isBelow(problem.status, 500, text)
  assert.notInclude(["INVALID_SIGNATURE", "AUTH_REQUIRED", "INVALID_AUTH", "FORBIDDEN"], problem.code, text)
}

describe(`described requests with one thing changed, seed ${SEED}`, () => {
  it(`${RUNS} of them`, { timeout: 900_000 }, () =>
    fc.assert(fc.asyncProperty(fc.nat(operations.length - 1), change, judge), { numRuns: RUNS, seed: SEED })
  )
})
