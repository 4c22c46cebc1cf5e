/** Requests whose owner's contract is asked, while its node answers when the test lets it. */
import { Redacted } from "effect"
import { afterAll, afterEach, assert, beforeEach, describe, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { stopClock } from "../support/DatabaseTime.ts"
import { type Reply, startFakeNode } from "../support/FakeNode.ts"
import { signingWithoutOffset } from "../support/OtherForms.ts"
import { assertProblem, problemIn } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, type Party, signedFetch } from "../support/SignedFetch.ts"
import { standingClock } from "./support/StandingClock.ts"

const ME = "/api/v1/accounts/me"
const PER_ADDRESS = 8
const PER_ACCOUNT = 16
const PER_CHAIN = 32
const BUDGET = 20

let release = () => {}

const node = await startFakeNode({ chainId: 31337 })
const service = await startService({
  settings: {
    quotas: { owner: 1e6, bots: 1e6, address: BUDGET, rpc: 1e6 },
    trustedProxies: ["127.0.0.1"],
    maximumInWork: 1,
    chains: [{ chainId: 31337, urls: [Redacted.make(node.url)], confirmations: 1 }]
  },
  clock: standingClock()
})

afterAll(async () => {
  await service.stop()
  await node.stop()
})

beforeEach(async () => {
  await stopClock(service.databaseUrl, Math.floor(Date.now() / 1000))
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const code: Reply = { result: "0x" }
  node.on("eth_getCode", () => released.then(() => code))
})

afterEach(() => release())

let clients = 0
const newAddress = () => {
  clients += 1
  return `10.2.0.${clients}`
}

/** Signed by another key than the owner's, so that only the owner's contract could vouch for it. */
const forged = (owner: Party, address: string): Promise<Response> =>
  signedFetch(service, { ...owner, key: { ...newOwner().key, address: owner.key.address } }, "GET", ME, {
    headers: { "X-Forwarded-For": address }
  })

const asked = () => node.methods().filter(method => method === "eth_getCode").length

/** Sends so many, each from where it is told, and waits until so many hang at the node. */
const hanging = async (count: number, make: (index: number) => Promise<Response>) => {
  const before = asked()
  const answers = Array.from({ length: count }, (_, index) => make(index))
  await node.received("eth_getCode", before + count)
  return answers
}

const assertBusy = async (answer: Response, per: string, limit: number) => {
  assert.strictEqual(answer.headers.get("retry-after"), "1")
  const { context } = await assertProblem(answer, "SERVICE_BUSY")
  assert.deepStrictEqual(context, { limit, per })
}

const end = async (answers: ReadonlyArray<Promise<Response>>) => {
  release()
  for (const answer of answers) await assertProblem(await answer, "INVALID_SIGNATURE")
}

const enrolled = async (): Promise<Party> => {
  const owner = newOwner()
  const answer = await enroll(service, owner, { headers: { "X-Forwarded-For": newAddress() } })
  assert.strictEqual(answer.status, 200)
  return owner
}

describe("where no node tells of the owner's contract", () => {
  it("the caller learns what the signature is nonetheless", async () => {
    node.on("eth_getCode", { error: { code: -32603, message: "broken" } })
    const owner = newOwner()
    const answer = await signedFetch(service, { ...owner, key: signingWithoutOffset(owner.key) }, "GET", ME, {
      headers: { "X-Forwarded-For": newAddress() }
    })
    const { diagnosis, retryable } = await assertProblem(answer, "VERIFIER_UNAVAILABLE")
    assert.deepInclude(diagnosis, { recovered: null, likelyCause: "recovery-id-0-1" })
    assert.isTrue(retryable)
  })
})

describe("while the owners' contracts are being asked", () => {
  it("who signs by a key is answered, from the same address and for the same account, and in the one place of work", async () => {
    const owner = await enrolled()
    const address = newAddress()
    const hung = await hanging(PER_ADDRESS, () => forged(owner, address))
    const headers = { "X-Forwarded-For": address }
    for (let index = 0; index < 3; index++)
      assert.strictEqual((await signedFetch(service, owner, "GET", ME, { headers })).status, 200)
    await end(hung)
  })

  it("no more of an address begin, and others still do", async () => {
    const address = newAddress()
    const hung = await hanging(PER_ADDRESS, () => forged(newOwner(), address))
    await assertBusy(await forged(newOwner(), address), "client address", PER_ADDRESS)
    const others = await hanging(1, () => forged(newOwner(), newAddress()))
    await end([...hung, ...others])
    assert.strictEqual((await problemIn(await forged(newOwner(), address))).code, "INVALID_SIGNATURE")
  })

  it("no more of an account begin, and others still do", async () => {
    const owner = newOwner()
    const hung = await hanging(PER_ACCOUNT, () => forged(owner, newAddress()))
    await assertBusy(await forged(owner, newAddress()), "account", PER_ACCOUNT)
    await end([...hung, ...(await hanging(1, () => forged(newOwner(), newAddress())))])
  })

  it("no more of a chain begin, and what asks nothing of it is judged at once", async () => {
    const hung = await hanging(PER_CHAIN, () => forged(newOwner(), newAddress()))
    await assertBusy(await forged(newOwner(), newAddress()), "chain", PER_CHAIN)
    await assertProblem(await forged(newOwner(1), newAddress()), "INVALID_SIGNATURE")
    assert.strictEqual((await signedFetch(service, await enrolled(), "GET", ME)).status, 200)
    await end(hung)
  })

  it("their address has paid already, once", async () => {
    const address = newAddress()
    const headers = { "X-Forwarded-For": address }
    const unsigned = () => fetch(`${service.url}${ME}`, { headers })
    for (let index = 0; index < BUDGET - PER_ADDRESS; index++)
      await assertProblem(await unsigned(), "AUTH_REQUIRED")
    const hung = await hanging(PER_ADDRESS, () => forged(newOwner(), address))
    await assertProblem(await unsigned(), "RATE_LIMITED")
    await end(hung)
    const other = newAddress()
    await end(await hanging(PER_ADDRESS, () => forged(newOwner(), other)))
    const left = () => fetch(`${service.url}${ME}`, { headers: { "X-Forwarded-For": other } })
    for (let index = 0; index < BUDGET - PER_ADDRESS; index++)
      await assertProblem(await left(), "AUTH_REQUIRED")
    await assertProblem(await left(), "RATE_LIMITED")
  })

  it("those that find no place cost their address nothing", async () => {
    const address = newAddress()
    const hung = await hanging(PER_ADDRESS, () => forged(newOwner(), address))
    for (let index = 0; index < BUDGET; index++)
      await assertProblem(await forged(newOwner(), address), "SERVICE_BUSY")
    const unsigned = await fetch(`${service.url}${ME}`, { headers: { "X-Forwarded-For": address } })
    assert.match(unsigned.headers.get("www-authenticate") ?? "", /^EIP712 realm="/)
    await assertProblem(unsigned, "AUTH_REQUIRED")
    await end(hung)
  })

  it("those that are accepted cost their address nothing", async () => {
    node.on("eth_getCode", { result: "0x6000" })
    node.on("eth_call", { result: `0x1626ba7e${"00".repeat(28)}` })
    const [owner, address] = [newOwner(), newAddress()]
    const headers = { "X-Forwarded-For": address }
    const wallet = { ...owner, key: { ...newOwner().key, address: owner.key.address } }
    assert.strictEqual((await enroll(service, wallet, { headers })).status, 200)
    for (let index = 0; index < 2 * BUDGET; index++)
      assert.strictEqual((await signedFetch(service, wallet, "GET", ME, { headers })).status, 200)
    await assertProblem(await fetch(`${service.url}${ME}`, { headers }), "AUTH_REQUIRED")
  })
})
