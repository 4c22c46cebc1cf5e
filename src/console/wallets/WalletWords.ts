/** What a deployment does with its wallets, in words. */
import type { SmartAccountCapabilities } from "../../smartaccounts/SmartAccount.ts"

export type OfferedWallet = SmartAccountCapabilities["deployments"][number]

const STATES: Readonly<Record<OfferedWallet["state"], string>> = {
  verified: "the chain has its code",
  unverified: "not known whether the chain has its code",
  drifted: "the chain has other code, so nothing is done with its wallets"
}

const MODES: Readonly<Record<OfferedWallet["mode"], string>> = {
  execution: "they are bound, planned for, and act by operations",
  "ownership-only": "they are bound and planned for, and do not act here"
}

export const deploymentText = ({ state, mode }: OfferedWallet): string => `${STATES[state]}; ${MODES[mode]}`
