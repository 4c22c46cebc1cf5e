/** A guard and a wallet that do not agree on whether it is installed, so that no session would work. */
import { Effect } from "effect"
import type { BoundWallet } from "../smartaccounts/BoundWallet.ts"
import { SmartAccountUnsupported } from "../smartaccounts/refusals.ts"
import type { Address } from "../values/Scalars.ts"

/** Whoever calls the guard's own installation calls moves what it says alone, and not the wallet's list of validators. */
export const unlistedGuard = (
  guard: Address,
  { inspection }: BoundWallet,
  { installed }: { readonly installed: boolean }
): string | undefined => {
  if (inspection.state.validators.includes(guard) === installed) return undefined
  const [says, mends] = installed
    ? [
        "has",
        `onUninstall(0x) of ${guard} mends it, and a session is to be prepared after that: it changes what the guard tells of the wallet`
      ]
    : ["has not", `onInstall(0x) of ${guard} mends it`]
  return `The guard says that it ${says} the wallet, and the wallet's validators say otherwise: no session would work. The wallet's own call of ${mends}.`
}

export const refuseUnlisted = (
  ...told: Parameters<typeof unlistedGuard>
): Effect.Effect<void, SmartAccountUnsupported> => {
  const detail = unlistedGuard(...told)
  return detail === undefined
    ? Effect.void
    : new SmartAccountUnsupported({ detail, context: { check: "validators" } })
}
