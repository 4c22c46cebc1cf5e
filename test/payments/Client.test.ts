/** The client does an app's part: it opens a review, follows it, knows its callback, and has the signature to submit. */
import { afterAll, assert, it } from "vitest"
import { createClient } from "../../src/client/main.ts"
import { approve } from "./support/Deciding.ts"
import { appBot, boundPilotWallet, operationBy, startPilotBench } from "./support/PilotBench.ts"

const bench = await startPilotBench({}, { passkeys: 1, apps: 1 })

afterAll(() => bench.stop())

it("has a payment decided", { timeout: 120_000 }, async () => {
  const { url: baseUrl, audience } = bench.service
  const pilot = await boundPilotWallet(bench, 0)
  const { accountId: account, key } = pilot.owner
  const { x, y, credentialId } = pilot.passkey
  const owner = createClient({ baseUrl, audience, account, signer: key })
  const bindingId: `0x${string}` = `0x${pilot.binding.id.slice(2)}`
  const kept = await owner.walletPayments.registerCredential({ bindingId, credentialId, publicKey: { x, y } })
  assert.strictEqual(kept.owner, pilot.passkeyOwner)

  const bot = await appBot(bench, pilot)
  const app = createClient({ baseUrl, audience, account, grantId: bot.grantId, signer: bot.key })
  const operation = await operationBy(bench, pilot, bot)
  const { review, page, idempotencyKey } = await app.walletPayments.review(operation.id)
  assert.strictEqual(page, `${audience}/wallet/payment-reviews/${review.id}`)
  const { state } = review
  const again = await app.walletPayments.review(operation.id, { state, idempotencyKey })
  assert.deepStrictEqual([again.review.id, again.replayed], [review.id, true])

  const seen: Array<string> = []
  const watching = app.walletPayments.watch(review.id, { onProgress: ({ status }) => seen.push(status) })
  const { redirect } = await (await approve(bench, pilot, review)).json()
  const { status, approval } = await watching
  assert.strictEqual(status, "approved")
  assert.strictEqual(seen.at(-1), "approved")

  assert.isTrue(app.walletPayments.isCallbackOf(redirect, review))
  const other = new URL(redirect)
  other.searchParams.set("state", "A".repeat(43))
  assert.isFalse(app.walletPayments.isCallbackOf(other.href, review))
  assert.isFalse(app.walletPayments.isCallbackOf(redirect.replace("app.example", "evil.example"), review))

  const signature = approval?.signature ?? assert.fail("no approval")
  const { operation: sent } = await app.userOperations.submit(operation.id, { signature })
  assert.strictEqual(sent.submission?.commitment, approval?.signedCommitment)
})
