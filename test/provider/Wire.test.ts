/** Each lie of the wire is told, after the provider has acted or without that, as it says. */
import { request } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Lie } from "../../sandbox/provider/Faults.ts"
import {
  type Forwarding,
  forwarderNonce,
  signedRequest,
  startForwarding
} from "../sandbox/support/Forwarding.ts"
import { holder } from "../sandbox/support/Sandbox.ts"
import { until } from "../support/Until.ts"
import {
  arm,
  armed,
  bundleIn,
  bundleOf,
  getBundle,
  postBundle,
  publicationOf,
  publish,
  type Reached,
  startProvider
} from "./support/Provider.ts"

let world: Forwarding
let provider: Reached
let uuid: string

beforeAll(async () => {
  world = await startForwarding()
  provider = await startProvider(world)
  uuid = (await publish(provider, world, [await signedRequest(world, holder)])).bundle_uuid
})
afterAll(async () => {
  await provider.stop()
  await world.sandbox.stop()
})

const under = async (lie: Lie, millis?: number) => {
  await arm(provider, { lie, path: "bundle", ...(millis && { millis }) })
  return getBundle(provider.url, uuid)
}

const failsUnder = (lie: Lie) =>
  under(lie)
    .then(answer => answer.text())
    .then(
      text => assert.fail(text),
      (cause: unknown) => String(Object(cause).cause ?? cause)
    )

describe("an answer", () => {
  it("is a page", async () => {
    const answer = await under("wire-html")
    assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "text/html"])
    assert.match(await answer.text(), /^<!doctype html>/)
  })

  it("ends in its middle", async () => {
    assert.match(await failsUnder("wire-truncated"), /closed|terminated|aborted/i)
  })

  it("is right and of ten megabytes", async () => {
    const text = await (await under("wire-large")).text()
    assert.isAbove(text.length, 10 * 1024 * 1024)
    assert.equal(JSON.parse(text).bundle_uuid, uuid)
  })

  it("comes character by character", async () => {
    await arm(provider, { lie: "wire-drip", path: "bundle" })
    const chunks = await new Promise<ReadonlyArray<string>>((resolve, reject) => {
      const seen: Array<string> = []
      const asked = request(`${provider.url}/v1/bundle/${uuid}`, answer => {
        answer.on("data", (chunk: Buffer) => {
          seen.push(chunk.toString())
          if (seen.length < 3) return
          asked.destroy()
          resolve(seen)
        })
      })
      asked.once("error", reject).end()
    })
    assert.deepEqual(chunks, ["{", '"', "b"])
  })

  it("leads to the same place again", async () => {
    const answer = await under("wire-redirect")
    assert.equal(answer.status, 307)
    assert.equal(answer.headers.get("location"), `/v1/bundle/${uuid}?again`)
  })

  it("is 429", async () => {
    assert.equal((await under("wire-429")).status, 429)
  })

  it("is 500", async () => {
    assert.equal((await under("wire-500")).status, 500)
  })

  it("is a reset connection", async () => {
    assert.match(await failsUnder("wire-reset"), /ECONNRESET|other side closed/)
  })

  it("is right and late", async () => {
    const from = performance.now()
    const answer = await under("wire-late", 300)
    assert.equal((await answer.json()).bundle_uuid, uuid)
    assert.isAtLeast(performance.now() - from, 299)
  })

  it("is late by 46 seconds unless something else is said", async () => {
    await arm(provider, { lie: "wire-late", path: "bundle", call: 1_000_000 })
    const all = await armed(provider)
    assert.equal(all.at(-1).millis, 46_000)
  })
})

describe("a publication", () => {
  const published = async (lie: Lie) => {
    await arm(provider, { lie: "executes-unpaid", path: "publication" })
    await arm(provider, { lie, path: "publication" })
    const before = await forwarderNonce(world, holder)
    const body = publicationOf(world.forwarder, [await signedRequest(world, holder)])
    const answer = await postBundle(provider.url, body).catch(() => undefined)
    return { before, status: answer?.status }
  }

  it.each<[Lie, number | undefined]>([
    ["wire-500", 500],
    ["wire-reset", undefined],
    ["wire-html", 200]
  ])("under %s is carried out all the same", async (lie, expected) => {
    const { before, status } = await published(lie)
    assert.equal(status, expected)
    await until(
      () => forwarderNonce(world, holder),
      nonce => nonce === before + 1n
    )
  })

  it.each<[Lie, number]>([
    ["wire-429", 429],
    ["wire-redirect", 307]
  ])("under %s is not carried out", async (lie, expected) => {
    const { before, status } = await published(lie)
    assert.equal(status, expected)
    await arm(provider, { lie: "executes-unpaid", path: "publication" })
    const next = await publish(provider, world, [await signedRequest(world, holder)])
    await bundleIn(provider, next.bundle_uuid, ["Success"])
    assert.equal(await forwarderNonce(world, holder), before + 1n)
  })
})

it("says the truth in between", async () => {
  assert.equal((await bundleOf(provider, uuid)).bundle_uuid, uuid)
})
