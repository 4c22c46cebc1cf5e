/** A signed operation that somebody hands to its entry point without the service. */
import { encodeFunctionData } from "viem"
import { entryPoint07Abi } from "viem/account-abstraction"
import type { PublicUserOperation } from "../../../src/useroperations/PublicUserOperation.ts"
import { packedOperation } from "../../../src/values/PackedOperation.ts"
import { ENTRY_POINT } from "../../smartaccounts/support/Wallets.ts"
import { ANYBODY, send } from "../../sponsorship/support/Executing.ts"
import { signedFetch } from "../../support/SignedFetch.ts"
import type { OperatingBench, ShownOperation } from "./Operating.ts"
import type { Prepared } from "./Sending.ts"

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
