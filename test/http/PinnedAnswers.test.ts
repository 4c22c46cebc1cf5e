import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeExchange } from "../../src/http/Exchange.ts"
import { PinnedAnswers } from "../../src/http/PinnedAnswers.ts"

const MEBIBYTE = 1024 * 1024

const asking = (target: string) => {
  const request = new IncomingMessage(new Socket())
  request.method = "GET"
  request.url = target
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
