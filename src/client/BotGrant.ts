/** The registration of a bot key: its proof of possession is bound to the nonce of the owner's own request. */
import type { Scopes } from "../accounts/Account.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { type Signer, signMessage } from "./Signer.ts"
import { addressOf, domainFor, type SignerIdentity } from "./SignRequest.ts"

export interface BotTerms {
  /** Signs the proof; its key never leaves it. */
  readonly bot: Signer
  /** `["read"]` when absent. */
  readonly scopes?: Scopes
  /** Unix seconds, at most 365 days ahead. */
  readonly expiresAt: number
  /** At most 120 UTF-8 bytes. */
  readonly label?: string
}

export const registrationBody = async (
  { bot, scopes = ["read"], expiresAt, label = "" }: BotTerms,
  { audience, accountId }: SignerIdentity,
  ownerRequestNonce: Bytes32
) => {
  const botAddress = addressOf(bot.address)
  const proof = { audience, accountId, botAddress, scopes, expiresAt, label, ownerRequestNonce }
  const proofSignature = await signMessage(bot, domainFor(audience, accountId), "ServiceBotProof", proof)
  return { botAddress, scopes, expiresAt, label, proofSignature }
}
