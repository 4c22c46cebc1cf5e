/** A signed operation that somebody hands to its entry point without the service. */
import { encodeFunctionData, parseAbi } from "viem"
import { entryPoint07Abi } from "viem/account-abstraction"
import type { PublicUserOperation } from "../../../src/useroperations/PublicUserOperation.ts"
import { packedOperation } from "../../../src/values/PackedOperation.ts"
import { ENTRY_POINT } from "../../smartaccounts/support/Wallets.ts"
import { ANYBODY, send } from "../../sponsorship/support/Executing.ts"
import { signedFetch } from "../../support/SignedFetch.ts"
import { sqlOn } from "../../support/Sql.ts"
import {
  type BoundTestWallet,
  boundWallet,
  envelopeOf,
  type OperatingBench,
  preparedOperation,
  type ShownOperation,
  walletPlan
} from "./Operating.ts"
import type { Prepared } from "./Sending.ts"
import { walletDoes } from "./WalletChanges.ts"

interface Carried extends Pick<Prepared, "owner" | "signature"> {
  readonly operation: Pick<ShownOperation, "id">
}

/** The hash of the transaction that executes it. */
export const carriedByAnybody = async (
  bench: OperatingBench,
  { owner, operation: { id }, signature }: Carried
) => {
  const told = await signedFetch(bench.service, owner, "GET", `/api/v1/user-operations/${id}`)
  const { operation }: PublicUserOperation = await told.json()
  return send(bench, {
    to: ENTRY_POINT,
    data: encodeFunctionData({
      abi: entryPoint07Abi,
      functionName: "handleOps",
      args: [[packedOperation({ ...operation, signature })], ANYBODY]
    }),
    gas: 25_000_000
  })
}

/** And not sent. */
export const signedOperation = async (bench: OperatingBench) => {
  const bound = await boundWallet(bench)
  const plan = await walletPlan(bench, bound)
  const operation = await preparedOperation(bench.service, bound.owner, plan)
  return { bound, plan, operation, signature: await envelopeOf(operation, bound.owners) }
}

export const endsNow = ({ service }: OperatingBench, { id }: Pick<ShownOperation, "id">) =>
  sqlOn(service.databaseUrl, "UPDATE user_operations SET expires_at = unix_millis() WHERE id = $1", [id])

/** As if nothing had told what used its nonce for a quarter of an hour. */
export const hearNothingLong = ({ service }: OperatingBench, { id }: Pick<ShownOperation, "id">) =>
  sqlOn(service.databaseUrl, "UPDATE silent_nonces SET seen_at = seen_at - 900000 WHERE operation = $1", [id])

const NONCES = parseAbi(["function incrementNonce(uint192 key)"])

/** The owners' next one, by no operation. */
export const passNonceOver = (bench: OperatingBench, bound: Pick<BoundTestWallet, "wallet" | "owners">) =>
  walletDoes(bench, bound, encodeFunctionData({ abi: NONCES, args: [0n] }), ENTRY_POINT)
