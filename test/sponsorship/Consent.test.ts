/** What is never published: without the wallet's signatures, the owner's fresh consent, or what the requests rest on. */
import { Redacted } from "effect"
import type { Hex } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { newKey, revokeBot } from "../support/Bots.ts"
import { payment, planned } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { newPayer, newRelayBot } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { NATIVE_TOKEN } from "../support/Sandbox.ts"
import { freshNonce, type Party } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { startScriptedProvider } from "./support/ScriptedProvider.ts"
import {
  approveBy,
  approvedFor,
  askPublication,
  type SponsorshipApproval,
  signAll
} from "./support/Signing.ts"
import { authorizationOf, sponsorshipFor, startSponsoringBench } from "./support/Sponsored.ts"

const provider = await startScriptedProvider()
const bench = await startSponsoringBench({ providerUrl: Redacted.make(provider.url) })
const { service, chain } = bench

afterAll(async () => {
  await bench.stop()
  await provider.stop()
})

const sql = (text: string, values: ReadonlyArray<unknown> = []) => sqlOn(service.databaseUrl, text, values)

const ofOwner = async () => {
  const owner = await newPayer(bench)
  const sponsorship = await sponsorshipFor(service, owner, await planned(bench, owner))
  return { owner, sponsorship, signatures: await signAll(owner.key, sponsorship) }
}

const ofBot = async () => {
  const owner = await newPayer(bench)
  const bot = await newRelayBot(bench, owner)
  const sponsorship = await sponsorshipFor(service, bot, await planned(bench, owner, { by: bot }))
  return { owner, bot, sponsorship, signatures: await signAll(owner.key, sponsorship) }
}

/** The refusal, after which nothing left and nothing is reserved. */
const refused = async (
  party: Party,
  sponsorship: Sponsorship,
  body: Readonly<Record<string, unknown>>,
  code: string
) => {
  const before = provider.requests.length
  const problem = await assertProblem(await askPublication(service, party, sponsorship, body), code)
  assert.strictEqual(provider.requests.length, before)
  const rows = await sql(
    "SELECT plan FROM transport_bindings WHERE binding_id = $1 UNION SELECT plan FROM sponsored_calls WHERE sponsorship = $1",
    [sponsorship.id]
  )
  assert.deepStrictEqual(rows, [])
  assert.deepStrictEqual(await sql("SELECT 1 FROM publications WHERE sponsorship = $1", [sponsorship.id]), [])
  return problem
}

const flipped = (signature: Hex): Hex => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith("1b") ? "1c" : "1b"
  return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, "0")}${v}`
}

describe("signatures are refused", () => {
  it("that are malformed, too few, too many, or of a high s", async () => {
    const { owner, sponsorship, signatures } = await ofOwner()
    const [signature = assert.fail("no signature")] = signatures
    const parity = signature.endsWith("1b") ? "00" : "01"
    const malformed: ReadonlyArray<ReadonlyArray<string>> = [
      [],
      [signature, signature],
      [signature.slice(0, -2)],
      [`${signature}00`],
      [signature.slice(2)],
      [`${signature.slice(0, -2)}${parity}`],
      [flipped(signature)],
      ["0x"]
    ]
    for (const given of malformed)
      await refused(owner, sponsorship, { signatures: given }, "INVALID_FORWARD_SIGNATURE")
  })

  it("of another key, of another request, or in another order", async () => {
    const { owner, sponsorship } = await ofOwner()
    const strange = await signAll(newKey(), sponsorship)
    const problem = await refused(owner, sponsorship, { signatures: strange }, "FORWARD_SIGNATURE_MISMATCH")
    assert.deepStrictEqual(problem.context, { stepIndex: 0 })
    const pay = payment(bench, owner.key.address)
    const two = await sponsorshipFor(service, owner, await planned(bench, owner, { calls: [pay, pay] }))
    const signatures = (await signAll(owner.key, two)).toReversed()
    await refused(owner, two, { signatures }, "FORWARD_SIGNATURE_MISMATCH")
    const args = ["2", NATIVE_TOKEN, "1000", owner.key.address, "0", "other words", "0x"]
    const plan = await planned(bench, owner, { calls: [payment(bench, owner.key.address, { args })] })
    const other = await signAll(owner.key, await sponsorshipFor(service, owner, plan))
    await refused(owner, sponsorship, { signatures: other }, "FORWARD_SIGNATURE_MISMATCH")
  })
})

describe("a bot publishes", () => {
  it("with the owner's approval of exactly these signatures", async () => {
    const { owner, bot, sponsorship, signatures } = await ofBot()
    const ownerApproval = await approveBy(
      owner.key,
      service.audience,
      approvedFor(bot, sponsorship, signatures)
    )
    const answer = await askPublication(service, bot, sponsorship, { signatures, ownerApproval })
    assert.strictEqual(answer.status, 202, await answer.clone().text())
    const [approval] = await sql("SELECT form, signer FROM owner_approvals WHERE hash = $1", [
      ownerApproval.submissionHash
    ])
    assert.deepStrictEqual(approval, {
      form: "owner-approval",
      signer: owner.key.address.toLowerCase()
    })
  })

  it("not without one, nor with one of another thing, key or time", async () => {
    const { owner, bot, sponsorship, signatures } = await ofBot()
    const by = (over: Partial<SponsorshipApproval>, key = owner.key) =>
      approveBy(key, service.audience, approvedFor(bot, sponsorship, signatures, over))
    const check = async (ownerApproval: unknown, code: string) =>
      refused(bot, sponsorship, { signatures, ownerApproval }, code)
    const now = Math.floor(Date.now() / 1000)
    const word: Hex = `0x${"ab".repeat(32)}`
    await refused(bot, sponsorship, { signatures }, "OWNER_APPROVAL_REQUIRED")
    await check(await by({ submissionHash: word }), "OWNER_APPROVAL_MISMATCH")
    await check(await by({ commitment: word }), "OWNER_APPROVAL_MISMATCH")
    await check(await by({ sponsorshipId: freshNonce() }), "OWNER_APPROVAL_MISMATCH")
    await check(await by({ principalId: `owner:${owner.accountId}` }), "OWNER_APPROVAL_MISMATCH")
    await check(await by({}, newKey()), "INVALID_OWNER_APPROVAL_SIGNATURE")
    await check(await by({ issuedAt: now - 200, expiresAt: now }), "OWNER_APPROVAL_EXPIRED")
    await check(await by({ issuedAt: now, expiresAt: now + 301 }), "INVALID_OWNER_APPROVAL")
    await check({ ...(await by({})), planId: sponsorship.planId }, "INVALID_OWNER_APPROVAL")
  })

  it("not with the approval of a transaction", async () => {
    const { bot, sponsorship, signatures } = await ofBot()
    const { sponsorshipId: _, submissionHash: hash, ...rest } = approvedFor(bot, sponsorship, signatures)
    const transactionApproval = {
      ...rest,
      planId: sponsorship.planId,
      stepIndex: 0,
      transactionHash: hash,
      signature: `0x${"11".repeat(65)}`
    }
    await refused(
      bot,
      sponsorship,
      { signatures, ownerApproval: transactionApproval },
      "INVALID_OWNER_APPROVAL"
    )
  })

  it("not once its grant was revoked, nor what is the owner's", async () => {
    const { owner, bot, sponsorship, signatures } = await ofBot()
    const own = await ofOwner()
    await refused(owner, sponsorship, { signatures }, "SPONSORSHIP_NOT_FOUND")
    await refused(own.owner, sponsorship, { signatures }, "SPONSORSHIP_NOT_FOUND")
    await revokeBot(service, owner, bot)
    const ownerApproval = await approveBy(
      owner.key,
      service.audience,
      approvedFor(bot, sponsorship, signatures)
    )
    await refused(bot, sponsorship, { signatures, ownerApproval }, "FORBIDDEN")
  })
})

it("an owner leaves the approval out", async () => {
  const { owner, sponsorship, signatures } = await ofOwner()
  await refused(owner, sponsorship, { signatures, ownerApproval: {} }, "INVALID_OWNER_APPROVAL")
})

describe("what has changed since it was prepared is not published", () => {
  it("the plan's time is over", async () => {
    const { owner, sponsorship, signatures } = await ofOwner()
    await sql("UPDATE sponsorships SET expires_at = unix_millis() WHERE id = $1", [sponsorship.id])
    await refused(owner, sponsorship, { signatures }, "SPONSORSHIP_EXPIRED")
  })

  it("the service was restored from a backup", async () => {
    const { owner, sponsorship, signatures } = await ofOwner()
    await sql("SELECT mark_restored(true)")
    await sql("UPDATE restorations SET requests_after = 0")
    await refused(owner, sponsorship, { signatures }, "SPONSORSHIP_EXPIRED")
  })

  it("the nonce was used", async () => {
    const owner = await newPayer(bench)
    const [one, other] = [
      await sponsorshipFor(service, owner, await planned(bench, owner)),
      await sponsorshipFor(service, owner, await planned(bench, owner))
    ]
    const first = await askPublication(service, owner, one, { signatures: await signAll(owner.key, one) })
    assert.strictEqual(first.status, 202)
    await refused(owner, other, { signatures: await signAll(owner.key, other) }, "FORWARD_NONCE_RESERVED")
    const { transactions } = provider.requests.at(-1)?.body ?? assert.fail("nothing left")
    const [sent = assert.fail("no transaction")] = transactions
    const sender = (await newPayer(bench)).key.address
    await rpc(chain.url, "anvil_impersonateAccount", [sender])
    const executed = { from: sender, to: sent.target, data: sent.data, value: "0x3e8", gas: "0xf4240" }
    const { status } = await rpc(chain.url, "eth_sendTransactionSync", [executed])
    assert.strictEqual(status, "0x1")
    const changed = await refused(
      owner,
      other,
      { signatures: await signAll(owner.key, other) },
      "FORWARD_REQUEST_CHANGED"
    )
    assert.deepStrictEqual(changed.context, { check: "nonce", stepIndex: 0 })
  })

  it("the wallet has code, the target has other code, the forwarder has none", async () => {
    const { owner, sponsorship, signatures } = await ofOwner()
    const { forwarder, message } = authorizationOf(sponsorship)
    const checks = [
      [owner.key.address, "0x00", { check: "wallet" }],
      [forwarder, "0x", { check: "forwarder" }]
    ] as const
    for (const [address, code, context] of checks) {
      const before = await rpc(chain.url, "eth_getCode", [address, "latest"])
      await rpc(chain.url, "anvil_setCode", [address, code])
      const problem = await refused(owner, sponsorship, { signatures }, "FORWARD_REQUEST_CHANGED")
      assert.deepStrictEqual(problem.context, context)
      await rpc(chain.url, "anvil_setCode", [address, before])
    }
    const target = await rpc(chain.url, "eth_getCode", [message.to, "latest"])
    await rpc(chain.url, "anvil_setCode", [message.to, `${target}00`])
    const problem = await refused(owner, sponsorship, { signatures }, "FORWARD_REQUEST_CHANGED")
    assert.deepStrictEqual(problem.context, { check: "target", stepIndex: 0 })
    await rpc(chain.url, "anvil_setCode", [message.to, target])
  })

  it("the call would fail now", async () => {
    const { owner, sponsorship, signatures } = await ofOwner()
    await rpc(chain.url, "anvil_setBalance", [owner.key.address, "0x1"])
    await assertProblem(await askPublication(service, owner, sponsorship, { signatures }), "RPC_UNAVAILABLE")
    assert.deepStrictEqual(
      await sql("SELECT 1 FROM publications WHERE sponsorship = $1", [sponsorship.id]),
      []
    )
  })

  it("half a minute before the requests' deadline", async () => {
    const { owner, sponsorship, signatures } = await ofOwner()
    await sql("UPDATE sponsorships SET expires_at = expires_at + 7200000 WHERE id = $1", [sponsorship.id])
    await sql("UPDATE plans SET expires_at = expires_at + 7200000 WHERE id = $1", [sponsorship.planId])
    const { deadline } = authorizationOf(sponsorship).message
    await rpc(chain.url, "evm_setNextBlockTimestamp", [Number(deadline) - 30])
    await rpc(chain.url, "anvil_mine", ["0x1"])
    await assertProblem(
      await askPublication(service, owner, sponsorship, { signatures }),
      "FORWARD_REQUEST_EXPIRED"
    )
  })
})
