import { afterAll, assert, describe, it } from "vitest"
import { enroll, inSeconds, newBot, newKey, type Registration, requestRegistration } from "../support/Bots.ts"
import { signingWithoutOffset } from "../support/OtherForms.ts"
import { assertProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { freshNonce, newOwner, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"

const ME = "/api/v1/accounts/me"
const YEAR = 365 * 86_400

const service = await startService({
  settings: { quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 } }
})
const owner = newOwner()
await enroll(service, owner)

afterAll(() => service.stop())

const register = (registration: Registration) => requestRegistration(service, owner, registration)
const count = () => sqlOn(service.databaseUrl, "SELECT count(*) AS n FROM bot_grants")

describe("a bot's registration", () => {
  it("gives the grant and where it is", async () => {
    const key = newKey()
    const expiresAt = inSeconds(100)
    const answer = await register({ key, scopes: ["read", "plan"], label: "é\t", expiresAt })
    assert.strictEqual(answer.status, 201)
    const { bot, ...rest } = await answer.json()
    assert.deepStrictEqual(rest, {})
    assert.strictEqual(answer.headers.get("location"), `${ME}/bots/${bot.id}`)
    const { id: _, createdAt, ...terms } = bot
    assert.approximately(createdAt, inSeconds(0), 5)
    assert.deepStrictEqual(terms, {
      accountId: owner.accountId,
      botAddress: key.address,
      scopes: ["read", "plan"],
      label: "é\t",
      expiresAt,
      revokedAt: null,
      state: "active"
    })
  })

  it("rests on a proof of exactly these terms and this request's nonce", async () => {
    const before = await count()
    const other = newKey()
    const wrong: ReadonlyArray<Registration> = [
      { proofTerms: { audience: "https://other.example" } },
      { proofTerms: { chainId: 1 } },
      { proofTerms: { accountId: newOwner().accountId } },
      { proofTerms: { botAddress: other.address } },
      { proofTerms: { scopes: ["read", "plan"] } },
      { scopes: ["read", "plan"], proofTerms: { scopes: ["plan", "read"] } },
      { proofTerms: { scopes: ["read,plan"] } },
      { proofTerms: { expiresAt: inSeconds(7200) } },
      { proofTerms: { label: " " } },
      { proofTerms: { ownerRequestNonce: freshNonce() } },
      { proofKey: other },
      { proofKey: owner.key },
      { body: { proofSignature: `0x${"00".repeat(65)}` } },
      { body: { proofSignature: `0x${"ff".repeat(65)}` } },
      ...["", "0x", "0x1b", `0x${"11".repeat(64)}`, `0x${"11".repeat(66)}`, `0x${"1".repeat(129)}`].map(
        proofSignature => ({ body: { proofSignature } })
      ),
      { body: { proofSignature: "11".repeat(65) } },
      { body: { proofSignature: `0x${"zz".repeat(65)}` } }
    ]
    for (const registration of wrong) await assertProblem(await register(registration), "INVALID_BOT_PROOF")
    assert.deepStrictEqual(await count(), before)
  })

  it("tells who signed, and what, where the proof is not the bot's", async () => {
    const [key, other] = [newKey(), newKey()]
    const by = async (registration: Registration) =>
      (await assertProblem(await register(registration), "INVALID_BOT_PROOF")).context
    assert.deepInclude(await by({ key, proofKey: other }), {
      path: "proofSignature",
      recovered: other.address
    })
    assert.deepInclude(await by({ key, proofKey: signingWithoutOffset(key) }), {
      recovered: null,
      likelyCause: "recovery-id-0-1"
    })
  })

  it("bounds its terms at their edges", async () => {
    const cases: ReadonlyArray<readonly [Registration, string]> = [
      [{ expiresAt: inSeconds(-1) }, "INVALID_INPUT"],
      [{ expiresAt: inSeconds(0) }, "INVALID_INPUT"],
      [{ expiresAt: inSeconds(YEAR + 5) }, "INVALID_INPUT"],
      [{ expiresAt: Number.MAX_SAFE_INTEGER }, "INVALID_INPUT"],
      [{ label: `${"é".repeat(60)}a` }, "INVALID_INPUT"],
      [{ scopes: ["plan"] }, "INVALID_INPUT"],
      [{ body: { scopes: [] } }, "INVALID_INPUT"],
      [{ body: { extra: 1 } }, "INVALID_INPUT"],
      [{ body: { proofSignature: 1 } }, "INVALID_INPUT"],
      [{ body: { proofSignature: undefined } }, "INVALID_INPUT"],
      [{ body: { botAddress: "0x1" } }, "INVALID_INPUT"]
    ]
    for (const [registration, code] of cases) await assertProblem(await register(registration), code)
    for (const registration of [
      { expiresAt: inSeconds(YEAR - 5) },
      { expiresAt: inSeconds(10) },
      { label: "é".repeat(60) }
    ])
      assert.strictEqual((await register(registration)).status, 201)
  })

  it("is not for the owner's own key, in any case of its letters", async () => {
    await assertProblem(await register({ key: owner.key }), "INVALID_INPUT")
    const lower = { body: { botAddress: owner.key.address.toLowerCase() } }
    await assertProblem(await register({ key: owner.key, ...lower }), "INVALID_INPUT")
  })

  it("may name one key many times, each grant on its own", async () => {
    const key = newKey()
    const first = await newBot(service, owner, { key })
    const second = await newBot(service, owner, { key, scopes: ["read", "plan"] })
    assert.notStrictEqual(first.grantId, second.grantId)
    await signedFetch(service, owner, "DELETE", `${ME}/bots/${first.grantId}`)
    await assertProblem(await signedFetch(service, first, "GET", ME), "FORBIDDEN")
    assert.strictEqual((await signedFetch(service, second, "GET", ME)).status, 200)
  })
})

describe("a grant", () => {
  it("is listed in the order of its making, whatever became of it", async () => {
    const own = newOwner()
    await enroll(service, own)
    const made = [await newBot(service, own), await newBot(service, own), await newBot(service, own)]
    await signedFetch(service, own, "DELETE", `${ME}/bots/${made[0]?.grantId}`)
    await sqlOn(service.databaseUrl, "UPDATE bot_grants SET expires_at = 1 WHERE id = $1", [made[1]?.grantId])
    const { bots } = await (await signedFetch(service, own, "GET", `${ME}/bots`)).json()
    assert.strictEqual(bots.length, 3)
    const stateOf = (grantId: string | undefined) =>
      bots.find(({ id }: { id: string }) => id === grantId)?.state
    assert.deepStrictEqual(
      made.map(({ grantId }) => stateOf(grantId)),
      ["revoked", "expired", "active"]
    )
    const order = bots.map(({ createdAt, id }: { createdAt: number; id: string }) => `${createdAt} ${id}`)
    assert.deepStrictEqual(order, [...order].sort())
    await signedFetch(service, own, "DELETE", `${ME}/bots/${made[1]?.grantId}`)
    const after = await (await signedFetch(service, own, "GET", `${ME}/bots`)).json()
    assert.strictEqual(after.bots.find(({ id }: { id: string }) => id === made[1]?.grantId).state, "revoked")
  })

  it("of another account is as absent as one that never was", async () => {
    const other = newOwner()
    await enroll(service, other)
    const bot = await newBot(service, other)
    const foreign = await assertProblem(
      await signedFetch(service, owner, "DELETE", `${ME}/bots/${bot.grantId}`),
      "GRANT_NOT_FOUND"
    )
    const absent = await assertProblem(
      await signedFetch(service, owner, "DELETE", `${ME}/bots/01234567-89ab-4def-8123-456789abcdef`),
      "GRANT_NOT_FOUND"
    )
    assert.deepStrictEqual({ ...foreign, requestId: "" }, { ...absent, requestId: "" })
    assert.strictEqual((await signedFetch(service, bot, "GET", ME)).status, 200)
  })

  it("is named by a lower-case UUID", async () => {
    for (const id of ["x", "01234567-89AB-4def-8123-456789abcdef", "%30", "0"]) {
      const problem = await assertProblem(
        await signedFetch(service, owner, "DELETE", `${ME}/bots/${id}`),
        "INVALID_PARAMETER"
      )
      assert.strictEqual(problem.context?.parameter, "grantId")
    }
  })

  it("ends on the database's clock", async () => {
    const bot = await newBot(service, owner)
    assert.strictEqual((await signedFetch(service, bot, "GET", ME)).status, 200)
    await sqlOn(service.databaseUrl, "UPDATE bot_grants SET expires_at = unix_seconds() WHERE id = $1", [
      bot.grantId
    ])
    await assertProblem(await signedFetch(service, bot, "GET", ME), "FORBIDDEN")
  })
})

describe("an account", () => {
  it("keeps its profile and bots when enrolled again", async () => {
    const own = newOwner()
    await enroll(service, own)
    await newBot(service, own)
    const profile = { displayName: "a", bio: "b\n", avatarUri: "ipfs://c" }
    const changed = await (await signedFetch(service, own, "PATCH", ME, { body: profile })).json()
    assert.deepStrictEqual(changed.account.profile, profile)
    const again = await (await enroll(service, own)).json()
    assert.deepStrictEqual(again, changed)
    const { bots } = await (await signedFetch(service, own, "GET", `${ME}/bots`)).json()
    assert.strictEqual(bots.length, 1)
    const reset = await (await signedFetch(service, own, "PATCH", ME, { body: { bio: "c" } })).json()
    assert.deepStrictEqual(reset.account.profile, { displayName: "", bio: "c", avatarUri: null })
  })

  it("is one for each chain of an owner", async () => {
    const here = newOwner(1)
    const there = {
      ...here,
      chainId: 9_007_199_254_740_991,
      accountId: here.accountId.replace(":1:", ":9007199254740991:")
    }
    const first = await (await enroll(service, here)).json()
    const second = await (await enroll(service, there)).json()
    assert.strictEqual(first.account.ownerAddress, here.key.address)
    assert.strictEqual(second.account.authorityChainId, 9_007_199_254_740_991)
    assert.strictEqual(second.account.id, there.accountId)
  })

  it("is enrolled by its owner alone", async () => {
    const own = newOwner()
    await assertProblem(await enroll(service, { ...newOwner(), accountId: own.accountId }), "FORBIDDEN")
    await assertProblem(
      await enroll(service, { ...own, grantId: "01234567-89ab-4def-8123-456789abcdef" }),
      "FORBIDDEN"
    )
    await assertProblem(await signedFetch(service, own, "GET", ME), "ACCOUNT_NOT_FOUND")
  })
})
