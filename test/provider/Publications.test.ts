/** The provider reads strictly, and is open to this machine alone. */
import { request } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Forwarding, headTime, signedRequest, startForwarding } from "../sandbox/support/Forwarding.ts"
import { holder } from "../sandbox/support/Sandbox.ts"
import {
  arm,
  armed,
  getBundle,
  post,
  postBundle,
  publicationOf,
  type Reached,
  startProvider,
  TOKEN
} from "./support/Provider.ts"

let world: Forwarding
let provider: Reached

beforeAll(async () => {
  world = await startForwarding()
  provider = await startProvider(world)
})
afterAll(async () => {
  await provider.stop()
  await world.sandbox.stop()
})

type Publication = ReturnType<typeof publicationOf>
type Transaction = Publication["transactions"][number]

const good = async (): Promise<Publication> =>
  publicationOf(world.forwarder, [await signedRequest(world, holder), await signedRequest(world, holder)])

const refusal = async (body: unknown): Promise<string> => {
  const answer = await postBundle(provider.url, body)
  const text = await answer.text()
  assert.equal(answer.status, 400, text)
  return JSON.parse(text).message
}

const withFirst = (change: (first: Transaction) => object, { transactions, ...rest }: Publication) => ({
  ...rest,
  transactions: transactions.map((each, index) => (index === 0 ? change(each) : each))
})

/** Each with what of it is refused. */
const BAD: ReadonlyArray<readonly [string, (first: Transaction) => object, RegExp]> = [
  ["another member", first => ({ ...first, more: 1 }), /another member/],
  ["no value", ({ value: _, ...first }) => first, /lacks value/],
  ["another chain", first => ({ ...first, chain: 1 }), /^chain/],
  ["a chain as text", first => ({ ...first, chain: "31337" }), /^chain/],
  ["a short target", first => ({ ...first, target: "0x12" }), /^target/],
  ["upper-case data", first => ({ ...first, data: `0x${first.data.slice(2).toUpperCase()}` }), /^data/],
  ["half a byte", first => ({ ...first, data: `${first.data}0` }), /^data/],
  ["a byte behind the call", first => ({ ...first, data: `${first.data}00` }), /exactly a call/],
  ["another function", first => ({ ...first, data: `0xdeadbeef${first.data.slice(10)}` }), /exactly a call/],
  ["a value as number", first => ({ ...first, value: 0 }), /^value/],
  ["a value as hexadecimal", first => ({ ...first, value: "0x0" }), /^value/],
  ["a value that is not the request's", first => ({ ...first, value: "1" }), /not the request's/],
  ["another place", first => ({ ...first, virtual_nonce: 1 }), /^virtual_nonce/]
]

describe("a publication", () => {
  it("is taken as it is meant", async () => {
    const answer = await postBundle(provider.url, await good())
    assert.equal(answer.status, 201)
    assert.hasAllKeys(await answer.json(), ["bundle_uuid", "tx_uuids", "payment_info"])
  })

  it.each(BAD)("with %s is refused", async (_, change, message) => {
    assert.match(await refusal(withFirst(change, await good())), message)
  })

  it("is refused as anything else", async () => {
    const body = await good()
    assert.match(await refusal({ ...body, virtual_nonce_mode: "Strict" }), /virtual_nonce_mode/)
    assert.match(await refusal({ ...body, transactions: [] }), /1 to 32/)
    const many = Array.from({ length: 33 }, () => body.transactions[0])
    assert.match(await refusal({ ...body, transactions: many }), /1 to 32/)
    assert.match(await refusal({ ...body, more: 1 }), /another member/)
    assert.match(await refusal([]), /not an object/)
    assert.match(await refusal("{"), /no JSON/)
    assert.match(await refusal(`"${"x".repeat(600_000)}"`), /longer than/)
    const text = await post(`${provider.url}/v1/bundle/prepaid`, body, { "content-type": "text/plain" })
    assert.equal(text.status, 400)
  })

  it("is refused shortly before its deadline", async () => {
    const deadline = (await headTime(world.sandbox)) + 60
    const late = await signedRequest(world, holder, { deadline })
    assert.match(await refusal(publicationOf(world.forwarder, [late])), /too near/)
  })
})

it("knows its own bundles and paths alone", async () => {
  for (const id of ["00000000-0000-4000-8000-000000000000", "x", "../prepaid"])
    assert.equal((await getBundle(provider.url, id)).status, 404)
  assert.equal((await fetch(`${provider.url}/v1/bundle/prepaid`)).status, 404)
})

it("answers to no other name than this machine's", async () => {
  const { port } = new URL(provider.url)
  const status = await new Promise(resolve => {
    request(
      { host: "127.0.0.1", port, path: "/", headers: { host: "elsewhere.example" } },
      ({ statusCode }) => resolve(statusCode)
    ).end()
  })
  assert.equal(status, 421)
})

describe("lies", () => {
  it("are armed with the token alone", async () => {
    const fault = { lie: "bundle-id", path: "bundle" }
    for (const authorization of ["", "Bearer", `Bearer ${TOKEN}x`])
      assert.equal((await post(`${provider.url}/faults`, fault, { authorization })).status, 404)
    assert.deepEqual(await fetch(`${provider.url}/faults`).then(({ status }) => status), 404)
  })

  it("are armed where they exist alone", async () => {
    const authorization = `Bearer ${TOKEN}`
    for (const fault of [
      { lie: "unheard-of", path: "bundle" },
      { lie: "payment-zero", path: "bundle" },
      { lie: "state-long", path: "publication" },
      { lie: "bundle-id", path: "bundle", call: 0 },
      { lie: "bundle-id", path: "bundle", times: 1.5 },
      { lie: "wire-late", path: "bundle", millis: 60_001 },
      { lie: "bundle-id", path: "bundle", more: 1 }
    ])
      assert.equal((await post(`${provider.url}/faults`, fault, { authorization })).status, 400)
  })

  it("are told from the call on that they are armed for, so often, and counted", async () => {
    const { bundle_uuid } = await postBundle(provider.url, await good()).then(answer => answer.json())
    await arm(provider, { lie: "bundle-id", path: "bundle", call: 2, times: 2 })
    const told: Array<boolean> = []
    for (let call = 0; call < 4; call++) {
      const answer = await getBundle(provider.url, bundle_uuid)
      told.push((await answer.json()).bundle_uuid !== bundle_uuid)
    }
    assert.deepEqual(told, [false, true, true, false])
    assert.deepEqual(
      (await armed(provider)).map((fault: { readonly told: number }) => fault.told),
      [2]
    )
  })
})
