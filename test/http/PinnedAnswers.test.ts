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

const keepTwice = (pinned: PinnedAnswers, target: string, body: string | Uint8Array) =>
  Effect.repeatN(
    Effect.suspend(() => pinned.keep(asking(target), { status: 200, headers: {}, body })),
    1
  )

it.effect("keeps an answer from the second time that it is asked for", () =>
  Effect.gen(function* () {
    const pinned = new PinnedAnswers()
    const answer = { status: 200, headers: {}, body: "page" }
    const first = yield* pinned.keep(asking("/catalog"), answer)
    assert.isUndefined(pinned.ready(asking("/catalog")))
    const second = yield* pinned.keep(asking("/catalog"), answer)
    assert.deepStrictEqual(second.headers, first.headers)
    assert.strictEqual(pinned.ready(asking("/catalog"))?.status, 200)
    assert.isUndefined(pinned.ready(asking("/catalog?limit=1")))
  })
)

it.effect("keeps 64 MiB at most, however many ways its targets are spelled", () =>
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
