import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { RateLimited } from "../../src/accounts/refusals.ts"
import { makeExchange } from "../../src/http/Exchange.ts"
import { PinnedAnswers } from "../../src/http/PinnedAnswers.ts"
import { answerAtOnce } from "../../src/http/Pipeline.ts"

const MEBIBYTE = 1024 * 1024

const asking = (target: string, headers: IncomingMessage["headers"] = {}) => {
  const request = new IncomingMessage(new Socket())
  request.method = "GET"
  request.url = target
  request.headers = headers
  return makeExchange(request, new ServerResponse(request), "id", 0)
}

const keepTwice = (pinned: PinnedAnswers, target: string, body: string | Uint8Array, key = target) =>
  Effect.repeatN(
    Effect.suspend(() => pinned.keep(asking(target), key, { status: 200, headers: {}, body })),
    1
  )

it.effect("keeps an answer from the second time that it is asked for", () =>
  Effect.gen(function* () {
    const pinned = new PinnedAnswers()
    const answer = { status: 200, headers: {}, body: "page" }
    const first = yield* pinned.keep(asking("/catalog"), "catalog", answer)
    assert.isUndefined(pinned.ready(asking("/catalog")))
    const second = yield* pinned.keep(asking("/catalog"), "catalog", answer)
    assert.deepStrictEqual(second.headers, first.headers)
    assert.strictEqual(pinned.ready(asking("/catalog"))?.status, 200)
    assert.isUndefined(pinned.ready(asking("/catalog?limit=1")))
  })
)

it.effect("keeps one answer, however many ways its target is spelled", () =>
  Effect.gen(function* () {
    const pinned = new PinnedAnswers()
    yield* keepTwice(pinned, "/other", "other")
    for (let index = 0; index < 200; index++)
      yield* keepTwice(pinned, `/contract?${index}`, Buffer.alloc(MEBIBYTE), "contract")
    assert.strictEqual(pinned.ready(asking("/other"))?.status, 200)
    const first = pinned.ready(asking("/contract?0"))
    assert.strictEqual(first?.status, 200)
    assert.strictEqual(pinned.ready(asking("/contract?199")), first)
    assert.isUndefined(pinned.ready(asking("/contract?200")))
    const known = pinned.known(asking("/contract?200"), "contract")
    assert.strictEqual(known && (yield* known), first)
    assert.strictEqual(pinned.ready(asking("/contract?200")), first)
  })
)

it.effect("forgets the oldest that nobody asked for again, and nothing else", () =>
  Effect.gen(function* () {
    const pinned = new PinnedAnswers()
    const body = Buffer.alloc(MEBIBYTE)
    const isKept = (index: number) => pinned.ready(asking(`/${index}`)) !== undefined
    for (let index = 0; index < 64; index++) yield* keepTwice(pinned, `/${index}`, body)
    assert.isTrue(isKept(0))
    for (let index = 64; index < 66; index++) yield* keepTwice(pinned, `/${index}`, body)
    const all = Array.from({ length: 66 }, (_, index) => index)
    assert.deepStrictEqual(
      all.filter(index => !isKept(index)),
      [1, 2]
    )
  })
)

it.effect("keeps 64 MiB at most, however many targets are asked for", () =>
  Effect.gen(function* () {
    const pinned = new PinnedAnswers()
    const body = Buffer.alloc(MEBIBYTE)
    for (let index = 0; index < 200; index++) {
      yield* keepTwice(pinned, `/${index}`, body)
      assert.strictEqual(pinned.ready(asking(`/${index}`))?.status, 200)
    }
    const kept = Array.from({ length: 200 }, (_, index) => pinned.ready(asking(`/${index}`))).filter(Boolean)
    assert.isAtMost(kept.length, 64)
    assert.isAtLeast(kept.length, 1)
  })
)

it.effect("forgets what it keeps when what is pinned was replaced", () =>
  Effect.gen(function* () {
    let edition = 0
    const pinned = new PinnedAnswers(() => edition)
    yield* keepTwice(pinned, "/catalog", "before")
    assert.strictEqual(pinned.ready(asking("/catalog"))?.status, 200)
    edition = 1
    assert.isUndefined(pinned.ready(asking("/catalog")))
    yield* keepTwice(pinned, "/catalog", "after")
    assert.include(String(pinned.ready(asking("/catalog"))?.body), "after")
  })
)

it.effect("takes lists of encodings and of tags for none where they are longer than any client's own", () =>
  Effect.gen(function* () {
    const pinned = new PinnedAnswers()
    const answer = { status: 200, headers: {}, body: Buffer.alloc(MEBIBYTE) }
    const ask = (headers: IncomingMessage["headers"]) =>
      pinned.keep(asking("/catalog", headers), "catalog", answer)
    const behind = (length: number, item: string) => `${",".repeat(length - item.length)}${item}`
    const plain = yield* ask({ "accept-encoding": behind(257, "br") })
    assert.notProperty(plain.headers, "content-encoding")
    assert.strictEqual(
      (yield* ask({ "accept-encoding": behind(256, "br") })).headers["content-encoding"],
      "br"
    )
    const { etag = "" } = plain.headers
    assert.strictEqual((yield* ask({ "if-none-match": behind(1_025, etag) })).status, 200)
    assert.strictEqual((yield* ask({ "if-none-match": behind(1_024, etag) })).status, 304)
  })
)

it.effect("looks for no answer for an address that has had all that it may", () =>
  Effect.gen(function* () {
    const pinned = new PinnedAnswers()
    const route = "listContracts"
    const kept = Object.assign(asking("/catalog"), { route })
    const answer = { status: 200, headers: {}, body: "page" }
    yield* Effect.repeatN(
      Effect.suspend(() => pinned.keep(kept, "catalog", answer)),
      1
    )
    const atOnce = (hasLeft: boolean) => {
      const exchange = asking("/catalog")
      const check = () => (hasLeft ? Either.void : Either.left(new RateLimited({ context: {} })))
      const budget = {
        check,
        take: () => hasLeft,
        charge: () => Effect.void,
        giveBack: () => Effect.void,
        share: Effect.void
      }
      return { answer: answerAtOnce(exchange, { pinned, budget, proxies: undefined }), exchange }
    }
    const given = atOnce(true)
    assert.strictEqual(given.answer?.status, 200)
    assert.strictEqual(given.exchange.route, route)
    const refused = atOnce(false)
    assert.isUndefined(refused.answer)
    assert.isUndefined(refused.exchange.route)
  })
)

it.effect("compresses once what is asked for while it is compressed", () =>
  Effect.gen(function* () {
    const pinned = new PinnedAnswers()
    yield* keepTwice(pinned, "/page", Buffer.alloc(MEBIBYTE))
    const ask = () => pinned.known(asking("/page", { "accept-encoding": "br" }), "/page") ?? Effect.die("")
    const [first, second] = yield* Effect.all([ask(), ask()], { concurrency: 2 })
    assert.strictEqual(first.headers["content-encoding"], "br")
    assert.strictEqual(first.body, second.body)
  })
)
