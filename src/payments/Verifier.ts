/** The precompile by which a chain checks passkeys' signatures (EIP-7951, RIP-7212); without it a contract checks them for many times the gas. */
import type { CallOutcome } from "../chain/ChainClient.ts"
import type { Address, Hex } from "../values/Scalars.ts"

const PRECOMPILE: Address = "0x0000000000000000000000000000000000000100"

/** Digest, r, s, and the key of a right signature: Wycheproof's of the SHA-256 of "123400". */
const SIGNED = [
  "bb5a52f42f9c9261ed4361f59422a1e30036e7c32b270c8807a419feca605023",
  "5".padStart(64, "0"),
  "1".padStart(64, "0"),
  "a71af64de5126a4a4e02b7922d66ce9415ce88a4c9d25514d91082c8725ac957",
  "5d47723c8fbe580bb369fec9c2665d8e30a435b9932645482e7c9f11e872296b"
]
const DATA: Hex = `0x${SIGNED.join("")}`
const VALID: Hex = `0x${"1".padStart(64, "0")}`

export const verifierQuestion = { to: PRECOMPILE, data: DATA }

export const verifies = (outcome: CallOutcome): boolean =>
  outcome._tag === "Returned" && outcome.data === VALID
