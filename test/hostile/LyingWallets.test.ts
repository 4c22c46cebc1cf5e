/** S4: owners' contracts that lie, on a real node; only the exact word of acceptance lets a request pass. */
import { afterAll, assert, describe, it } from "vitest"
import { startAnvil } from "../support/Anvil.ts"
import { newBot, newKey } from "../support/Bots.ts"
import { BOUND, DELEGATE, type Wallet, wallets, YES } from "../support/LyingWallets.ts"
import { assertProblem, problemIn } from "../support/Problem.ts"
import { rpc } from "../support/Rpc.ts"
import { chainSettings } from "../support/Sandbox.ts"
import { startService } from "../support/Service.ts"
import { type Party, type RequestOptions, signedFetch, signedInit } from "../support/SignedFetch.ts"

const ME = "/api/v1/accounts/me"
const COUNTERFACTUAL = "6492".repeat(16)

type Hex = `0x${string}`

const chain = await startAnvil()
const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }
const service = await startService({ settings: { chains: chainSettings(chain.url), quotas } })
await rpc(chain.url, "anvil_setCode", [DELEGATE, `0x${YES}`])

afterAll(async () => {
  await service.stop()
  await chain.stop()
})

/** Somebody who signs in the name of that address. */
const pretender = (address: Hex): Party => ({
  key: { ...newKey(), address },
  chainId: 31337,
  accountId: `eip155:31337:${address.toLowerCase()}`
})

const deployed = async ({ code, at }: Pick<Wallet, "code" | "at">): Promise<Party> => {
  const address = at ?? newKey().address
  await rpc(chain.url, "anvil_setCode", [address, `0x${code}`])
  return pretender(address)
}

const enrolling = (owner: Party, options: RequestOptions = {}) =>
  signedFetch(service, owner, "POST", "/api/v1/accounts/enroll", { body: {}, ...options })

const verdict = async (answer: Response): Promise<string> =>
  answer.ok ? "accepted" : (await problemIn(answer)).code

describe("a wallet that", () => {
  it.each(wallets.map(wallet => [wallet.name, wallet] as const))("%s", async (_, wallet) => {
    const owner = await deployed(wallet)
    const expected = wallet.accepts ? "accepted" : "INVALID_SIGNATURE"
    assert.strictEqual(await verdict(await enrolling(owner)), expected)
    if (!wallet.accepts) return
    assert.strictEqual(await verdict(await signedFetch(service, owner, "GET", ME)), "accepted")
  })

  it("are more than sixty", () => {
    assert.isAtLeast(wallets.length, 60)
  })
})

describe("a wallet's yes", () => {
  it("is asked for anew by every request", async () => {
    const owner = await deployed({ code: YES })
    assert.strictEqual(await verdict(await enrolling(owner)), "accepted")
    for (const { code, accepts } of wallets.slice(0, 12)) {
      await rpc(chain.url, "anvil_setCode", [owner.key.address, `0x${code}`])
      const seen = await verdict(await signedFetch(service, owner, "GET", ME))
      assert.strictEqual(seen, accepts ? "accepted" : "INVALID_SIGNATURE")
    }
  })

  it("is for the digest of this very request", async () => {
    const owner = await deployed({ code: BOUND })
    const answer = await enrolling(owner)
    const { diagnosis } = await assertProblem(answer, "INVALID_SIGNATURE")
    const init = await signedInit(service, owner, "POST", "/api/v1/accounts/enroll", { body: {} })
    const send = (headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${service.url}/api/v1/accounts/enroll`, { ...init, headers: { ...init.headers, ...headers } })
    const first = await assertProblem(await send(), "INVALID_SIGNATURE")
    assert.notStrictEqual(first.diagnosis?.digest, diagnosis?.digest)
    await rpc(chain.url, "anvil_setStorageAt", [
      owner.key.address,
      `0x${"0".repeat(64)}`,
      first.diagnosis?.digest
    ])
    await assertProblem(await send({ "X-Service-Nonce": `0x${"11".repeat(32)}` }), "INVALID_SIGNATURE")
    assert.strictEqual((await send()).status, 200)
  })

  it("does not stretch to ERC-6492 wrappers, to bots, or to other chains", async () => {
    const owner = await deployed({ code: YES })
    assert.strictEqual((await enrolling(owner)).status, 200)
    const wrapped = await signedInit(service, owner, "GET", ME)
    const signature = `${wrapped.headers["X-Service-Signature"]}${COUNTERFACTUAL}`
    const headers = { ...wrapped.headers, "X-Service-Signature": signature }
    await assertProblem(await fetch(`${service.url}${ME}`, { headers }), "INVALID_SIGNATURE")
    const bot = await newBot(service, owner)
    await rpc(chain.url, "anvil_setCode", [bot.key.address, `0x${YES}`])
    const forged = { ...bot, key: { ...newKey(), address: bot.key.address } }
    await assertProblem(await signedFetch(service, forged, "GET", ME), "INVALID_SIGNATURE")
    const elsewhere = { ...owner, chainId: 1, accountId: owner.accountId.replace("31337", "1") }
    await assertProblem(await enrolling(elsewhere), "INVALID_SIGNATURE")
  })

  it("is never enough to prove a bot's key", async () => {
    const owner = await deployed({ code: YES })
    assert.strictEqual((await enrolling(owner)).status, 200)
    const contract = await deployed({ code: YES })
    const answer = await signedFetch(service, owner, "POST", `${ME}/bots`, {
      body: {
        botAddress: contract.key.address,
        scopes: ["read"],
        expiresAt: Math.floor(Date.now() / 1000) + 3600,
        proofSignature: `0x${"11".repeat(64)}1b`
      }
    })
    await assertProblem(answer, "INVALID_BOT_PROOF")
  })
})
