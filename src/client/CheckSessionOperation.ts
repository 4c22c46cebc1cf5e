/** Whether an operation under a session does exactly what its plan says, by the session's own policy, before its key signs it. */
import { sessionDigest } from "../sessions/Compile.ts"
import { sessionEnvelope } from "../sessions/Envelope.ts"
import type { PublicSession } from "../sessions/Session.ts"
import type { PublicUserOperation } from "../useroperations/PublicUserOperation.ts"
import { toHex } from "../values/TypedDataHash.ts"
import { checkSession } from "./CheckSession.ts"
import { checkedOperation, gasLimitOf } from "./CheckUserOperation.ts"
import type { SessionOperationToCheck } from "./SessionSigning.ts"

const isOfSession = ({ session: told }: PublicUserOperation, session: PublicSession): boolean => {
  const { id, generation, grantId, sessionKey, compiled } = session
  return (
    told !== undefined &&
    told.id === id &&
    told.compiledHash === compiled.compiledHash &&
    told.generation === generation &&
    told.grantId === grantId &&
    told.permissionId === compiled.permissionId &&
    told.sessionKey === sessionKey
  )
}

const isSigned = (
  { signing, operationHash }: PublicUserOperation,
  { compiled: { permissionId, encodedPolicy } }: PublicSession
): boolean =>
  signing.scheme === "eip191-session-operation" &&
  signing.permissionId === permissionId &&
  signing.operationHash === operationHash &&
  signing.message.raw === operationHash &&
  signing.digest === toHex(sessionDigest(operationHash)) &&
  signing.signaturePrefix === sessionEnvelope(permissionId, encodedPolicy, "0x")

/** The guard is the validator, and the lane is the first. */
const NONCE_BITS = 96n

/** What the guard would refuse. */
const isWithin = ({ operation }: PublicUserOperation, { compiled }: PublicSession): boolean => {
  const { gas } = compiled.policy
  const paymaster = "paymaster" in operation ? operation.paymaster : `0x${"00".repeat(20)}`
  return (
    BigInt(operation.nonce) >> NONCE_BITS === BigInt(compiled.guard) &&
    ((BigInt(operation.nonce) >> 64n) & 0xffffffffn) === 0n &&
    gasLimitOf(operation) <= BigInt(gas.maxGasPerOperation) &&
    BigInt(operation.maxFeePerGas) <= BigInt(gas.maxFeePerGas) &&
    BigInt(operation.maxPriorityFeePerGas) <= BigInt(gas.maxPriorityFeePerGas) &&
    paymaster.toLowerCase() === gas.paymaster.toLowerCase()
  )
}

/** Rejects with `AlteredPlan` where anything differs from the plan, the session, the wallet's manifest or what is computed here. */
export const checkOperationOfSession = async (about: SessionOperationToCheck): Promise<void> => {
  const { session, operation } = about
  await checkSession(about)
  const { validAfter, validUntil } = session
  await checkedOperation(about, { validAfter, validUntil }, () => ({
    session: isOfSession(operation, session),
    digest: isSigned(operation, session),
    "nonce, gas or payer": isWithin(operation, session)
  }))
}
