/** What a deployment does with its wallets, in words. */
import type { SmartAccountCapabilities } from "../../smartaccounts/SmartAccount.ts"

export type Deployment = SmartAccountCapabilities["deployments"][number]

const STATES: Readonly<Record<Deployment["state"], string>> = {
  verified: "the chain has its code",
  unverified: "not known whether the chain has its code",
  drifted: "the chain has other code, so nothing is done with its wallets"
}

const MODES: Readonly<Record<Deployment["mode"], string>> = {
  execution: "they are bound, planned for, and act by operations",
  "ownership-only": "they are bound and planned for, and do not act here"
}

export const deploymentText = ({ state, mode }: Deployment): string => `${STATES[state]}; ${MODES[mode]}`
