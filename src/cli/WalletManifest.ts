/** Which deployment of wallets a command means. */
import type { SmartAccountCapabilities } from "../smartaccounts/SmartAccount.ts"
import type { Flag } from "./Command.ts"
import { usageFailure } from "./Failure.ts"
import type { Input } from "./Input.ts"

export const manifestFlag: Flag = {
  name: "manifest",
  value: "<id>",
  help: "The deployment that the wallet is of; needed where the service supports several."
}

export type WalletDeployment = SmartAccountCapabilities["deployments"][number]

export const deploymentOf = (
  input: Input,
  { deployments }: Pick<SmartAccountCapabilities, "deployments">
): WalletDeployment => {
  const asked = input.value("manifest")
  const found = deployments.filter(({ manifestId }) => asked === undefined || manifestId === asked)
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const ids = deployments.map(({ manifestId, chainId }) => `${manifestId} (chain ${chainId})`).join(", ")
  throw usageFailure(
    asked === undefined ? "Which deployment?" : `There is no manifest "${asked}".`,
    `Give --manifest with one of: ${ids}.`
  )
}
