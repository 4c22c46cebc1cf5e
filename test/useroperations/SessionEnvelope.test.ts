/** Envelopes that a session's key did not make, or not of what was prepared. */
import { Effect, Either } from "effect"
import { assert, describe, it } from "vitest"
import published from "../../schema/vectors/sessions.json" with { type: "json" }
import { type SignableOperation, signedOperation } from "../../src/useroperations/OperationSignatures.ts"
import type { Address, Hex } from "../../src/values/Scalars.ts"
import { fromHex, toHex } from "../../src/values/TypedDataHash.ts"
import { sign, signCompact, signHighS, signParts, testKey } from "../signatures/TestKeys.ts"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"

const hex = (text: string): Hex => `0x${text.slice(2)}`

const digest = hex(published.digest)
const envelope = hex(published.envelope)
const signature = hex(published.signature)
const signaturePrefix = hex(envelope.slice(0, -130))
const sessionKey: Address = hex(published.policy.sessionKey)
const key = testKey("execution vector session key")
const { operation } = published

const prepared: SignableOperation = {
  chainId: published.chainId,
  entryPoint: ENTRY_POINT,
  operation: {
    sender: hex(operation.sender),
    nonce: hex(operation.nonce),
    callData: hex(operation.callData),
    callGasLimit: hex(operation.callGasLimit),
    verificationGasLimit: hex(operation.verificationGasLimit),
    preVerificationGas: hex(operation.preVerificationGas),
    maxFeePerGas: hex(operation.maxFeePerGas),
    maxPriorityFeePerGas: hex(operation.maxPriorityFeePerGas),
    signature: "0x"
  },
  signing: {
    digest,
    validAfter: published.policy.validAfter,
    validUntil: published.policy.validUntil,
    threshold: 2,
    owners: [],
    session: {
      id: "00000000-0000-4000-8000-000000000000",
      compiledHash: hex(published.compiledHash),
      generation: "1",
      grantId: "00000000-0000-4000-8000-000000000001",
      permissionId: hex(published.permissionId),
      sessionKey
    },
    signaturePrefix
  }
}

const told = (given: Hex) => Effect.runSync(Effect.either(signedOperation(prepared, given)))

const behind = (part: Hex): Hex => `${signaturePrefix}${part.slice(2)}`

const { compact, recoveryId } = signParts(key, fromHex(digest))
const withV = (v: number): Hex => toHex(Uint8Array.of(...compact, v))

const refusalOf = (given: Hex) =>
  Either.match(told(given), {
    onLeft: ({ _tag, context }) => [_tag, context?.fault],
    onRight: () => ["taken", undefined]
  })

it("the key's envelope is taken, in either case", () => {
  const { operation: whole } = Either.getOrThrow(told(`0x${envelope.slice(2).toUpperCase()}`))
  assert.equal(whole.signature, envelope)
})

describe("refused is", () => {
  it.each<readonly [what: string, given: Hex, code: string, fault: string | undefined]>([
    ["nothing", "0x", "INVALID_ENVELOPE", "length"],
    ["the prefix alone", signaturePrefix, "INVALID_ENVELOPE", "length"],
    ["a byte too many", `${envelope}00`, "INVALID_ENVELOPE", "length"],
    ["a byte too few", hex(envelope.slice(0, -2)), "INVALID_ENVELOPE", "length"],
    ["the signature alone", signature, "INVALID_ENVELOPE", "length"],
    ["another tag", `0x02${envelope.slice(4)}`, "INVALID_ENVELOPE", "prefix"],
    [
      "the policy of the estimation",
      hex(envelope.replace(published.encodedPolicy.slice(2), published.estimation.encodedPolicy.slice(2))),
      "INVALID_ENVELOPE",
      "prefix"
    ],
    ["a high s", behind(signHighS(key, fromHex(digest))), "INVALID_ENVELOPE", "form"],
    ["v of 0 or 1", behind(withV(recoveryId)), "INVALID_ENVELOPE", "form"],
    ["v of eth_sign", behind(withV(31 + recoveryId)), "INVALID_ENVELOPE", "form"],
    ["zeros", behind(`0x${"00".repeat(65)}`), "INVALID_ENVELOPE", "form"],
    ["the form of EIP-2098", behind(signCompact(key, fromHex(digest))), "INVALID_ENVELOPE", "length"],
    [
      "another key's",
      behind(sign(testKey("execution vector owner 1"), fromHex(digest))),
      "SESSION_SIGNATURE_MISMATCH",
      undefined
    ],
    [
      "the bare hash, signed without a prefix of messages",
      behind(sign(key, fromHex(hex(published.operationHash)))),
      "SESSION_SIGNATURE_MISMATCH",
      undefined
    ]
  ])("%s", (_, given, code, fault) => {
    assert.deepEqual(refusalOf(given), [code, fault])
  })

  it("the envelope with any bit of it flipped", () => {
    const bytes = fromHex(envelope)
    const taken = Array.from({ length: bytes.length * 8 }, (_, bit) => bit).filter(bit => {
      const flipped = bytes.slice()
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      return Either.isRight(told(toHex(flipped)))
    })
    assert.deepEqual(taken, [])
  })
})
