/** What was signed of an operation: the envelope that was prepared, but for the signatures of the wallet's owners, as many as the threshold, or of the session's key. */
import { createHash } from "node:crypto"
import { Effect, Either } from "effect"
import { recover } from "../signatures/Recover.ts"
import { type OwnerSignatureFault, ownerSignatures } from "../smartaccounts/OwnerSignatures.ts"
import { InvalidOwnerSignatures, OwnerSignaturesMismatch } from "../smartaccounts/refusals.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { envelopedSignatures } from "../values/OwnerEnvelope.ts"
import type { OperationPlace } from "../values/PackedOperation.ts"
import type { Bytes32, Hex } from "../values/Scalars.ts"
import { fromHex } from "../values/TypedDataHash.ts"
import type { UserOperation } from "../values/UserOperation.ts"
import { isContractSigned } from "./ContractSigned.ts"
import { InvalidEnvelope, SessionSignatureMismatch } from "./refusals.ts"
import type { OwnersSigning, SessionKeySigning } from "./UserOperationRow.ts"

export interface SignableOperation extends OperationPlace {
  readonly operation: UserOperation
  readonly signing: OwnersSigning | SessionKeySigning
}

export interface SignedOperation {
  readonly operation: UserOperation
  /** Of exactly what leaves. */
  readonly commitment: Bytes32
}

const refusalOf = ({ fault, position }: OwnerSignatureFault) => {
  const about = { context: { fault, ...(position === undefined ? {} : { position }) } }
  return fault === "owner" ? new OwnerSignaturesMismatch(about) : new InvalidOwnerSignatures(about)
}

const checkKeys = (signing: OwnersSigning, signature: Hex) =>
  Either.mapLeft(
    envelopedSignatures(signature, signing, signing.threshold),
    fault => new InvalidEnvelope({ context: { fault } })
  ).pipe(
    Either.flatMap(packed => Either.mapLeft(ownerSignatures(signing.digest, packed, signing), refusalOf))
  )

const checkOwners = (signing: OwnersSigning, signature: Hex) =>
  isContractSigned(signature, signing) ? Either.void : checkKeys(signing, signature)

const KEY_SIGNATURE_DIGITS = 130

/** The policy, too, is exactly the prepared one, for it stands in the prefix. */
const checkKey = ({ digest, session, signaturePrefix }: SessionKeySigning, signature: Hex) => {
  const misshapen = (fault: string) => Either.left(new InvalidEnvelope({ context: { fault } }))
  const prefix = signaturePrefix.toLowerCase()
  if (signature.length !== prefix.length + KEY_SIGNATURE_DIGITS) return misshapen("length")
  if (!signature.startsWith(prefix)) return misshapen("prefix")
  const signer = recover(fromHex(digest), `0x${signature.slice(prefix.length)}`)
  if (signer === undefined) return misshapen("form")
  return signer === session.sessionKey.toLowerCase()
    ? Either.void
    : Either.left(new SessionSignatureMismatch())
}

export const signedOperation = Effect.fnUntraced(function* (
  { chainId, entryPoint, operation: prepared, signing }: SignableOperation,
  given: Hex
) {
  const signature: Hex = `0x${given.slice(2).toLowerCase()}`
  yield* "session" in signing ? checkKey(signing, signature) : checkOwners(signing, signature)
  const operation = { ...prepared, signature }
  const text = canonicalJson({ chainId, entryPoint, operation })
  const signed: SignedOperation = {
    operation,
    commitment: `0x${createHash("sha256").update(text).digest("hex")}`
  }
  return signed
})
