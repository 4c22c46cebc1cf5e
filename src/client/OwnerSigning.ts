/** What a wallet's owners sign: that it is bound to an account, and its operations. */
import type { PublicUserOperation } from "../useroperations/PublicUserOperation.ts"
import { type OwnerPart, ownerEnvelope, packSignatures } from "../values/OwnerEnvelope.ts"
import type { OperationValidity } from "../values/SafeOperation.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import { type ChallengeToCheck, checkChallenge } from "./CheckChallenge.ts"
import { checkUserOperation, type OperationToCheck } from "./CheckUserOperation.ts"
import { ClientMisuse } from "./Errors.ts"
import { type Signer, signPayload, type TypedDataPayload } from "./Signer.ts"

const isHex = (text: string): text is Hex => text.startsWith("0x")

const signed = async (
  owner: Signer,
  owners: ReadonlyArray<Address>,
  typedData: TypedDataPayload
): Promise<OwnerPart> => {
  const signer = owners.find(each => each.toLowerCase() === owner.address.toLowerCase())
  if (signer === undefined) throw new ClientMisuse(`${owner.address} owns no part of the wallet.`)
  const signature = await signPayload(owner, typedData)
  if (!isHex(signature)) throw new ClientMisuse(`The wallet ${owner.address} gave no signature.`)
  return { signer, signature }
}

/** One owner's part of what binds a wallet; rejects with `AlteredPlan` where that is not what is told of it. */
export const signChallenge = async (owner: Signer, about: ChallengeToCheck): Promise<OwnerPart> => {
  await checkChallenge(about)
  const { state, typedData } = about.challenge
  return signed(owner, state.owners, { ...typedData, message: { ...typedData.message } })
}

/** What owners sign of it; a session's key signs its own. */
export const ownersPart = ({ id, signing }: PublicUserOperation) => {
  if (signing.scheme === "eip712-safe-operation") return signing
  throw new ClientMisuse(`The operation ${id} is signed by a session's key.`)
}

/** One owner's part of an operation; rejects with `AlteredPlan` where that is not the plan's. */
export const signUserOperation = async (owner: Signer, about: OperationToCheck): Promise<OwnerPart> => {
  await checkUserOperation(about)
  const { owners, typedData } = ownersPart(about.operation)
  return signed(owner, owners, { ...typedData, message: { ...typedData.message } })
}

/** As many as the wallet's threshold, in the order in which it reads them. */
export const packedSignatures = (parts: ReadonlyArray<OwnerPart>): Hex => packSignatures(parts)

/** What `userOperations.submit` takes, of an operation's `signing` and as many parts as its threshold. */
export const envelopeOfOwners = (
  signing: OperationValidity | PublicUserOperation["signing"],
  parts: ReadonlyArray<OwnerPart>
): Hex => {
  if ("validUntil" in signing) return ownerEnvelope(signing, parts)
  throw new ClientMisuse("A session's key signs the operation, and no owner does.")
}
