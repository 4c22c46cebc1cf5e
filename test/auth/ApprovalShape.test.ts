import { Effect, Exit } from "effect"
import { assert, describe, it } from "vitest"
import type { Actor } from "../../src/accounts/Principal.ts"
import { requirePresence } from "../../src/auth/OwnerApproval.ts"
import type { InvalidOwnerApproval, OwnerApprovalRequired } from "../../src/auth/refusals.ts"

const owner = `0x${"a1".repeat(20)}` as const
const word = `0x${"0b".repeat(32)}` as const
const accountId = `eip155:1:${owner}`

const bot: Actor = {
  kind: "bot",
  id: "bot:g",
  grantId: "g",
  scopes: ["read", "plan", "relay"],
  accountId,
  authorityChainId: 1,
  ownerAddress: owner,
  signer: owner,
  issuedAt: 0,
  expiresAt: 60,
  nonce: word
}

const proper = {
  accountId,
  principalId: bot.id,
  planId: "p",
  commitment: word,
  stepIndex: 0,
  transactionHash: word,
  issuedAt: 100,
  expiresAt: 400,
  nonce: word,
  signature: "0x01"
}

const looked = (given: unknown): Effect.Effect<void, InvalidOwnerApproval | OwnerApprovalRequired> =>
  requirePresence(bot, given)

const refused = (given: unknown) => Effect.runSync(Effect.flip(looked(given)))

describe("the shape of an approval", () => {
  it("is whole", () => {
    assert.isTrue(Exit.isSuccess(Effect.runSyncExit(looked(proper))))
  })

  const { nonce: _, ...nonceless } = proper
  const misshapen: ReadonlyArray<readonly [string, unknown, RegExp]> = [
    ["ownerApproval", null, /object|\{/],
    ["ownerApproval", [], /object|\{|accountId/],
    ["ownerApproval.stepIndex", { ...proper, stepIndex: "0" }, /number|integer/],
    ["ownerApproval.stepIndex", { ...proper, stepIndex: 2 ** 32 }, /4294967295/],
    ["ownerApproval.nonce", { ...proper, nonce: word.toUpperCase() }, /./],
    ["ownerApproval.nonce", nonceless, /missing/],
    ["ownerApproval.memo", { ...proper, memo: "x" }, /unexpected/],
    ["ownerApproval.issuedAt", { ...proper, issuedAt: -1 }, /./]
  ]
  it.each(misshapen)("names %s", (path, given, expected) => {
    const refusal = refused(given)
    assert.strictEqual(refusal._tag, "INVALID_OWNER_APPROVAL")
    assert.match(String(refusal.context?.path), new RegExp(`^${path.replace(".", "\\.")}`))
    assert.match(String(refusal.context?.expected), expected)
  })

  it.each([401, 100, 99])("has no window that ends at %i", expiresAt => {
    const refusal = refused({ ...proper, expiresAt })
    assert.strictEqual(refusal._tag, "INVALID_OWNER_APPROVAL")
    assert.strictEqual(refusal.context?.path, "ownerApproval.expiresAt")
  })
})
