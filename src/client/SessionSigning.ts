/** What a session's key signs: its operations, each by the hash of what the wallet is to do. */
import { sessionEnvelope } from "../sessions/Envelope.ts"
import { decodePolicy } from "../sessions/Policy.ts"
import type { SessionPolicy } from "../sessions/PolicyShape.ts"
import type { PublicSession } from "../sessions/Session.ts"
import type { Hex } from "../values/Scalars.ts"
import type { OperationToCheck } from "./CheckUserOperation.ts"
import { ClientMisuse } from "./Errors.ts"
import { normalisedSignature, type SessionSigner } from "./Signer.ts"

export interface SessionOperationToCheck extends OperationToCheck {
  readonly session: PublicSession
}

/** What the bytes say, whatever the record around them tells; undefined where they are no policy's one encoding. */
export const decodedPolicy = (encoded: Hex): SessionPolicy | undefined => decodePolicy(encoded)

/** What `userOperations.submit` takes: the permission, its policy, and the key's signature of the operation. */
export const envelopeOfSession = ({ compiled }: Pick<PublicSession, "compiled">, signature: Hex): Hex =>
  sessionEnvelope(compiled.permissionId, compiled.encodedPolicy, signature)

const isHex = (text: string): text is Hex => /^0x[0-9a-fA-F]{130}$/.test(text)

/** The envelope of an operation; rejects with `AlteredPlan` where that is not the plan's, or the session is another. */
export const signSessionOperation = async (
  key: SessionSigner,
  about: SessionOperationToCheck
): Promise<Hex> => {
  const { session, operation } = about
  if (key.address.toLowerCase() !== session.sessionKey.toLowerCase())
    throw new ClientMisuse(`${key.address} is not the key of the session ${session.id}.`)
  const { checkOperationOfSession } = await import("./CheckSessionOperation.ts")
  await checkOperationOfSession(about)
  const signature = normalisedSignature(await key.signMessage({ message: { raw: operation.operationHash } }))
  if (!isHex(signature)) throw new ClientMisuse(`The key ${key.address} gave no signature.`)
  return envelopeOfSession(session, signature)
}
