/** Which wallets this deployment supports, and whether their chains have the code that the manifests pin. */
import { Effect } from "effect"
import { Manifests } from "./Manifests.ts"
import { SmartAccountsUnavailable } from "./refusals.ts"
import type { SmartAccountCapabilities } from "./SmartAccount.ts"

const EXCLUSIONS = [
  "An owner that is a contract, unless the manifest names it.",
  "A wallet with a transaction guard, a hook, or a module that the manifest does not pin.",
  "A wallet on which any module but a validator or an executor was ever installed, or whose node does not tell of its logs back to its creation.",
  "Owners' signatures by a contract, but for operations of a wallet whose threshold is one and whose manifest names that owner; by an approved hash, by eth_sign or in the form of EIP-2098."
]

export const describeSmartAccounts = Effect.fn("DescribeSmartAccounts.describe")(function* () {
  const { all, seen } = yield* Manifests
  if (all.length === 0) return yield* new SmartAccountsUnavailable()
  const deployments = yield* Effect.forEach(
    all,
    manifest => {
      const { id, mode, chainId, revision } = manifest
      return Effect.map(seen(manifest), ({ state, checkedAt }) => ({
        manifestId: id,
        mode,
        chainId,
        revision,
        state,
        checkedAt,
        manifest
      }))
    },
    { concurrency: "unbounded" }
  )
  const described: SmartAccountCapabilities = {
    deployments,
    accountOwnershipVerification: "safe-current-eoa-owner-threshold",
    sessionDurationsDays: [7, 30],
    walletCreation: "stateless-factory-calldata",
    exclusions: EXCLUSIONS
  }
  return described
})
