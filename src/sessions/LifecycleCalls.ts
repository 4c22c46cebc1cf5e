/** The one call of the wallet's by which its owners enable a session or revoke it. */
import { Effect } from "effect"
import { Catalog } from "../catalog/Catalog.ts"
import { SESSION_GUARD, WALLET_ADAPTER } from "../catalog/ExecutionContracts.ts"
import type { Call } from "../plans/Plan.ts"
import { encodeCall } from "../protocol/EncodeCall.ts"
import type { Address } from "../values/Scalars.ts"
import { installationData } from "./Enabling.ts"
import type { StoredSession } from "./SessionRow.ts"

interface Asked {
  readonly to: Address
  readonly contractId: string
  readonly signature: string
  readonly args: ReadonlyArray<unknown>
  readonly label: string
}

const planned = Effect.fnUntraced(function* (
  chainId: number,
  { to, contractId, signature, args, label }: Asked
) {
  const catalog = yield* Catalog
  const { abiHash } = yield* Effect.orDie(catalog.declaration(contractId))
  if (abiHash === null) return yield* Effect.dieMessage(`${contractId} has no ABI`)
  const abi = yield* Effect.orDie(catalog.abi(abiHash))
  const { data, decodedArgs } = yield* Effect.orDie(encodeCall(abi, signature, args))
  const decoded = { contractId, abiHash, function: signature, args: decodedArgs }
  const call: Call = { chainId, to, data, value: "0", label, dependsOn: [], decoded }
  return call
})

/** As ERC-7579 numbers the kinds of modules. */
const VALIDATOR = "1"

/** A wallet without the guard gets it with the policy, in the same call. */
export const activationCall = ({ chainId, wallet, compiled }: StoredSession, isInstalled: boolean) => {
  const { guard, enableNonce, encodedPolicy } = compiled
  const enabling = { expectedEnableNonce: BigInt(enableNonce), encoded: encodedPolicy }
  return planned(
    chainId,
    isInstalled
      ? {
          to: guard,
          contractId: SESSION_GUARD,
          signature: "enable(uint64,bytes)",
          args: [enableNonce, encodedPolicy],
          label: "Enable a session"
        }
      : {
          to: wallet,
          contractId: WALLET_ADAPTER,
          signature: "installModule(uint256,address,bytes)",
          args: [VALIDATOR, guard, installationData(enabling)],
          label: "Install the guard and enable a session"
        }
  )
}

export const revocationCall = ({ chainId, compiled: { guard, permissionId } }: StoredSession) =>
  planned(chainId, {
    to: guard,
    contractId: SESSION_GUARD,
    signature: "revoke(bytes32)",
    args: [permissionId],
    label: "Revoke a session"
  })
