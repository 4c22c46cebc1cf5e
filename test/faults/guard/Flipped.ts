/** One good operation of a session, and the same with a bit of its envelope flipped, for each bit. */
import { permissionIdOf } from "../../../src/sessions/Compile.ts"
import { encodePolicy } from "../../../src/sessions/Policy.ts"
import { checksummed } from "../../../src/values/Checksum.ts"
import type { Hex } from "../../../src/values/Scalars.ts"
import { CHAIN_ID } from "../../sessions/support/Guarded.ts"
import { policyFor } from "../../sessions/support/Policies.ts"
import { testKey } from "../../signatures/TestKeys.ts"
import { GUARD } from "../../smartaccounts/support/Wallets.ts"
import { dice } from "../../support/Dice.ts"
import type { Case, Step } from "./Cases.ts"
import { allowedDraft, drafted } from "./Operations.ts"
import { addressOf, hashAt, type Place } from "./Policies.ts"

const key = testKey("guard campaign key 1")
const TARGET = addressOf(0xdaden << 100n)
const OPERATION_HASH: Hex = `0x${"5a".repeat(32)}`
const MOST = String(2n ** 256n - 1n)

const place = (now: number): Place => ({
  account: addressOf((0xdaden << 100n) | 1n),
  targets: [TARGET],
  paymaster: TARGET,
  codes: new Map([[TARGET, "0x00ab"]]),
  person: addressOf((0xdaden << 100n) | 2n),
  nobody: addressOf((0xdaden << 100n) | 3n),
  sessionKey: checksummed(key.address),
  now
})

/** Under totals that no number of uses comes to. */
const session = (now: number) => {
  const where = place(now)
  const plain = policyFor(TARGET, hashAt(where, TARGET), now)
  const policy = {
    ...plain,
    sessionKey: where.sessionKey,
    maximumCalls: 100_000,
    gas: { ...plain.gas, totalGas: MOST, totalCost: MOST },
    allocations: plain.allocations.map(allocation => ({ ...allocation, limit: MOST })),
    actions: plain.actions.map(action => ({ ...action, total: MOST }))
  }
  const permissionId = permissionIdOf({ chainId: CHAIN_ID, guard: GUARD, account: where.account }, policy)
  const signer = { key, policy, permissionId }
  return { where, signer, drawn: drafted(allowedDraft(dice(1), where, signer), signer, OPERATION_HASH) }
}

export const bitsOf = (now: number): ReadonlyArray<number> => {
  const { signature } = session(now).drawn.operation
  return Array.from({ length: 4 * (signature.length - 2) }, (_, bit) => bit)
}

const flipped = (bytes: Hex, bit: number): Hex => {
  const at = 2 + (bit >> 2)
  const digit = (Number.parseInt(bytes.charAt(at), 16) ^ (8 >> (bit & 3))).toString(16)
  return `0x${bytes.slice(2, at)}${digit}${bytes.slice(at + 1)}`
}

export const flippedCase = (now: number, bits: ReadonlyArray<number>): Case => {
  const { where, signer, drawn } = session(now)
  const { operation } = drawn
  const whole: Step = { does: "validate", ...drawn }
  const others = bits.map(
    (bit): Step => ({
      ...drawn,
      does: "validate",
      operation: { ...operation, signature: flipped(operation.signature, bit) }
    })
  )
  const encoded = encodePolicy(signer.policy)
  return {
    place: where,
    permissionIds: [signer.permissionId],
    phases: [
      {
        codes: where.codes,
        steps: [{ does: "install", data: "0x" }, { does: "enable", nonce: 0n, encoded }, whole, ...others]
      }
    ]
  }
}
