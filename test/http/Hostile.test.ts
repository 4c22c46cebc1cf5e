/** S1: requests made against every declared route by chance: no 5xx, nothing unsigned accepted, every refusal a whole problem. */
import fc from "fast-check"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, describe, it } from "vitest"
import { Api } from "../../src/http/api/Api.ts"
import { placesOf } from "../../src/http/Places.ts"
import { manifestFile } from "../smartaccounts/support/WalletService.ts"
import { enroll } from "../support/Bots.ts"
import { fastHeaders, namedOwner } from "../support/FastSign.ts"
import { problemIn } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"

const allRoutes = placesOf(Api)

const RUNS = 2500
const REQUESTS_OF_AN_OWNER = 500
const SEED = Number(process.env.HOSTILE_SEED ?? Date.now() % 2 ** 31)

const { smartManifests, remove } = await manifestFile()
const settings = { quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }, smartManifests }
const service = await startService({ settings })
const owners = Array.from({ length: RUNS / REQUESTS_OF_AN_OWNER + 1 }, (_, index) =>
  namedOwner(`hostile ${index}`)
)
for (const owner of owners)
  await enroll(service, { ...owner, key: privateKeyToAccount(owner.key.privateKey) })

afterAll(async () => {
  await service.stop()
  await remove()
})

const nasty = fc.constantFrom(
  "",
  "\u0000",
  "\ud800",
  "😀",
  "é".repeat(70),
  "a".repeat(3000),
  "__proto__",
  "constructor",
  "0",
  "-1",
  "1e999",
  "null",
  "[]",
  "{}",
  "%",
  "%00",
  "' OR 1=1--",
  "../../etc",
  "<script>",
  "\r\nX: y",
  "0x",
  "9".repeat(100),
  "toString"
)

const text = fc.oneof(nasty, fc.string({ unit: "grapheme", maxLength: 40 }), fc.uuid(), fc.webUrl())

const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, 2 ** 53 - 1, 2 ** 53, -1, 1e308))

const NAMES = [
  "displayName",
  "bio",
  "avatarUri",
  "botAddress",
  "scopes",
  "expiresAt",
  "label",
  "proofSignature",
  "operation",
  "input",
  "account",
  "calls",
  "rawSignedTransaction",
  "ownerApproval",
  "submissions",
  "stepIndex",
  "manifestId",
  "owners",
  "threshold",
  "saltNonce",
  "address",
  "nonce",
  "stateHash",
  "signature"
]

const name = fc.oneof(fc.constantFrom(...NAMES), nasty, fc.string({ maxLength: 8 }))

const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 5 })
  )
}))

/** Mostly JSON, sometimes JSON of the kinds that parsers disagree on, sometimes none. */
const body = fc.oneof(
  { weight: 6, arbitrary: fc.dictionary(name, value, { maxKeys: 6 }).map(made => JSON.stringify(made)) },
  { weight: 2, arbitrary: value.map(made => JSON.stringify(made)) },
  fc.string({ maxLength: 60 }),
  fc.integer({ min: 1, max: 20_000 }).map(depth => "[".repeat(depth) + "]".repeat(depth)),
  fc
    .tuple(name, value)
    .map(([key, made]) => `{${JSON.stringify(key)}:${JSON.stringify(made)},${JSON.stringify(key)}:1}`),
  fc.bigInt().map(big => `{"expiresAt":${big}${big}}`),
  fc.constantFrom(
    "\ufeff{}",
    "{}\u0000",
    "{'a':1}",
    '{"a":NaN}',
    '{"bio":"\\ud800"}',
    `{"bio":"${"\\u0000".repeat(5)}"}`
  )
)

const part = text.map(made => encodeURIComponent(made.toWellFormed()))

const query = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom(
        "limit",
        "offset",
        "id",
        "contractId",
        "signature",
        "chainId",
        "projectId",
        "address",
        "args",
        "function",
        "account",
        "cursor",
        "refresh",
        "blockNumber"
      ),
      part
    ),
    part
  ),
  { maxLength: 3 }
)

const request = fc.record({
  route: fc.nat(allRoutes.length - 1),
  parameters: fc.array(
    fc.oneof(
      fc.uuid(),
      fc.nat(40).map(String),
      part.filter(
        made => made !== "" && !made.includes("%2F") && !made.includes("%5C") && !/^(\.|%2e)+$/i.test(made)
      )
    ),
    { minLength: 2, maxLength: 2 }
  ),
  query,
  body,
  signed: fc.boolean(),
  contentType: fc.oneof(
    { weight: 8, arbitrary: fc.constant("application/json") },
    fc.constantFrom("text/plain", "application/json; charset=utf-16", "application/x-www-form-urlencoded")
  ),
  idempotencyKey: fc.oneof({ weight: 6, arbitrary: fc.uuid() }, fc.constantFrom("", "a b", "é".repeat(3)))
})

type Hostile = typeof request extends fc.Arbitrary<infer Made> ? Made : never

const targetOf = (hostile: Hostile): string => {
  const route = allRoutes[hostile.route]
  let used = 0
  const path = (route?.at ?? "").replace(/:\w+/g, () => {
    used += 1
    return hostile.parameters[used - 1] ?? "x"
  })
  const pairs = hostile.query.map(([key, given]) => `${key}=${given}`).join("&")
  const target = new URL(`http://service${path}${pairs === "" ? "" : `?${pairs}`}`)
  return `${target.pathname}${target.search}`
}

let sent = 0

const send = async (hostile: Hostile): Promise<Response> => {
  const route = allRoutes[hostile.route] ?? assert.fail()
  const target = targetOf(hostile)
  const content = hostile.body.toWellFormed()
  const carries = route.takesBody ? { body: content, contentType: hostile.contentType } : {}
  const signing = {
    audience: service.audience,
    method: route.method,
    target,
    ...carries,
    ...(/^[\x21-\x7e]+$/.test(hostile.idempotencyKey) ? { idempotencyKey: hostile.idempotencyKey } : {})
  }
  const owner = owners[Math.floor(sent / REQUESTS_OF_AN_OWNER)] ?? assert.fail()
  sent += hostile.signed ? 1 : 0
  const headers = hostile.signed
    ? fastHeaders(owner, signing)
    : route.takesBody
      ? { "Content-Type": hostile.contentType }
      : {}
  return fetch(`${service.url}${target}`, {
    method: route.method,
    headers,
    ...(route.takesBody ? { body: content } : {})
  })
}

const UPSTREAM = new Set(["INDEXER_NOT_CONFIGURED", "SESSIONS_UNAVAILABLE", "WALLET_PAYMENTS_UNAVAILABLE"])

const judge = async (hostile: Hostile): Promise<void> => {
  const answer = await send(hostile)
  const { name, access } = allRoutes[hostile.route] ?? assert.fail()
  if (answer.ok) {
    assert.isTrue(hostile.signed || access.kind === "public", `${name} let an unsigned request pass`)
    await answer.arrayBuffer()
    return
  }
  const problem = await problemIn(answer, service.audience)
  if (!UPSTREAM.has(problem.code)) assert.isBelow(problem.status, 500, `${name}: ${JSON.stringify(problem)}`)
  if (hostile.signed) assert.notInclude(["INVALID_SIGNATURE", "ACCOUNT_NOT_FOUND", "FORBIDDEN"], problem.code)
  assert.isBelow(JSON.stringify(problem).length, 8_000, "a problem repeats too much of what was sent")
}

describe(`hostile requests, seed ${SEED}`, () => {
  it(`${RUNS} of them`, { timeout: 900_000 }, () =>
    fc.assert(fc.asyncProperty(request, judge), { numRuns: RUNS, seed: SEED, endOnFailure: false })
  )
})
