/** What a wallet's owners signed of an operation: the envelope that was prepared, but for their signatures, as many as the threshold. */
import { createHash } from "node:crypto"
import { Effect, Either } from "effect"
import { type OwnerSignatureFault, ownerSignatures } from "../smartaccounts/OwnerSignatures.ts"
import { InvalidOwnerSignatures, OwnerSignaturesMismatch } from "../smartaccounts/refusals.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { envelopedSignatures } from "../values/OwnerEnvelope.ts"
import type { OperationPlace } from "../values/PackedOperation.ts"
import type { OperationValidity } from "../values/SafeOperation.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"
import type { UserOperation } from "../values/UserOperation.ts"
import { InvalidEnvelope } from "./refusals.ts"

export interface SignableOperation extends OperationPlace {
  readonly operation: UserOperation
  readonly signing: OperationValidity & {
    readonly digest: Bytes32
    readonly owners: ReadonlyArray<Address>
    readonly threshold: number
  }
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

export const signedOperation = Effect.fnUntraced(function* (
  { chainId, entryPoint, operation: prepared, signing }: SignableOperation,
  given: Hex
) {
  const signature: Hex = `0x${given.slice(2).toLowerCase()}`
  const packed = yield* Either.mapLeft(
    envelopedSignatures(signature, signing, signing.threshold),
    fault => new InvalidEnvelope({ context: { fault } })
  )
  yield* Either.mapLeft(ownerSignatures(signing.digest, packed, signing), refusalOf)
  const operation = { ...prepared, signature }
  const text = canonicalJson({ chainId, entryPoint, operation })
  const signed: SignedOperation = {
    operation,
    commitment: `0x${createHash("sha256").update(text).digest("hex")}`
  }
  return signed
})
