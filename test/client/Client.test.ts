import { Wallet } from "ethers"
import { afterAll, assert, describe, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { ClientMisuse, ServiceProblem, WalletChainMismatch } from "../../src/client/Errors.ts"
import { eip1193Signer, ethersSigner } from "../../src/client/Signer.ts"
import { realSystem } from "../../src/client/System.ts"
import { startService } from "../support/Service.ts"
import { accountOf, newKey, ownerClient } from "./support/Parties.ts"

const service = await startService()

afterAll(() => service.stop())

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it resolved"),
    failure => failure
  )

/** As exact as the date of an answer is. */
const DATE_MILLIS = 1_000

const inAYear = () => Math.floor(Date.now() / 1000) + 86_400

describe("the client against a running service", () => {
  it("learns the audience, enrolls, and keeps a profile", async () => {
    const client = ownerClient(service.url)
    const account = await client.accounts.enroll()
    assert.strictEqual(account.id, client.account)
    assert.strictEqual(await client.audience(), service.audience)
    const renamed = await client.accounts.replaceProfile({ displayName: "Ada's café" })
    assert.strictEqual(renamed.profile.displayName, "Ada's café")
    assert.deepStrictEqual(await client.accounts.show(), renamed)
  })

  it("grants a bot, lets it act, and revokes it", async () => {
    const owner = ownerClient(service.url)
    await owner.accounts.enroll()
    const key = newKey()
    const grant = await owner.bots.grant({
      bot: key,
      scopes: ["read", "plan"],
      expiresAt: inAYear(),
      label: "night shift"
    })
    assert.strictEqual(grant.botAddress, key.address)
    assert.deepStrictEqual(await owner.bots.list(), [grant])
    const bot = createClient({
      baseUrl: service.url,
      account: owner.account,
      signer: key,
      grantId: grant.id
    })
    assert.strictEqual((await bot.accounts.show()).id, owner.account)
    assert.strictEqual(bot.principalId, `bot:${grant.id}`)
    assert.strictEqual((await owner.bots.revoke(grant.id)).state, "revoked")
    const refused = await rejection(bot.accounts.show())
    assert.instanceOf(refused, ServiceProblem)
    assert.strictEqual(refused.code, "FORBIDDEN")
  })

  it("signs with ethers wallets and with browser wallets", async () => {
    const wallet = new Wallet(Wallet.createRandom().privateKey)
    const byEthers = ownerClient(service.url, { signer: ethersSigner(wallet) })
    assert.strictEqual((await byEthers.accounts.enroll()).ownerAddress, wallet.address)

    const key = newKey()
    const provider = {
      request: async ({ method, params = [] }: { method: string; params?: ReadonlyArray<unknown> }) => {
        if (method === "eth_chainId") return "0x7a69"
        return key.signTypedData(JSON.parse(String(params[1])))
      }
    }
    const byBrowser = ownerClient(service.url, { signer: eip1193Signer(provider, key.address) })
    assert.strictEqual((await byBrowser.accounts.enroll()).ownerAddress, key.address)
  })

  it("refuses a wallet on another chain before asking it", async () => {
    const key = newKey()
    const asked: Array<string> = []
    const provider = {
      request: async ({ method }: { method: string }) => {
        asked.push(method)
        return "0x1"
      }
    }
    const client = ownerClient(service.url, { signer: eip1193Signer(provider, key.address) })
    const refused = await rejection(client.accounts.enroll())
    assert.instanceOf(refused, WalletChainMismatch)
    assert.deepStrictEqual([refused.expected, refused.actual, asked], [31_337, 1, ["eth_chainId"]])
  })

  it("follows the server's clock when this machine is an hour behind or ahead", async () => {
    for (const skew of [-3_600_000, 3_600_000]) {
      const system = { ...realSystem, now: () => Date.now() + skew }
      const client = ownerClient(service.url, { system })
      const started = performance.now()
      await client.accounts.enroll()
      const blurMillis = DATE_MILLIS + performance.now() - started
      assert.approximately(client.clock.offsetMillis, -skew, blurMillis)
      const knowing = ownerClient(service.url, { system, audience: service.audience })
      await knowing.accounts.enroll()
    }
  })

  it("walks the catalog page after page", async () => {
    const client = ownerClient(service.url)
    const { total } = await client.catalog.contracts({ limit: 1 })
    const ids: Array<string> = []
    for await (const { id } of client.catalog.iterate({ limit: 100 })) ids.push(id)
    assert.strictEqual(new Set(ids).size, total)
    const detail = await client.catalog.contract(ids[0] ?? "")
    assert.strictEqual(detail.id, ids[0])
  })

  it("signs any route exactly as sent and refuses a target that would change", async () => {
    const client = ownerClient(service.url)
    await client.accounts.enroll()
    const shown = await client.request("GET", "/api/v1/accounts/me")
    assert.strictEqual(shown.status, 200)
    const changed = await client.request("PATCH", "/api/v1/accounts/me", {
      body: '{ "bio" : "spaced" }',
      contentType: "application/json; charset=utf-8"
    })
    assert.strictEqual(changed.status, 200)
    const dotted = await rejection(client.request("GET", "/api/v1/x/../accounts/me"))
    assert.instanceOf(dotted, ClientMisuse)
  })

  it("refuses a key that is neither the owner's nor a bot's with its grant", () => {
    assert.throws(
      () => createClient({ baseUrl: service.url, account: accountOf(newKey().address), signer: newKey() }),
      ClientMisuse
    )
  })
})
