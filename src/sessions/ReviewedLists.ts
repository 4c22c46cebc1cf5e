/** What manifests reviewed: which contracts a session may call, as what, and which assets it may spend. */
import type { SmartManifest } from "../smartaccounts/Manifest.ts"
import type { Address } from "../values/Scalars.ts"
import type { SessionActionInput } from "./SessionInput.ts"

/** As what the contract that an action calls is reviewed. */
export const TARGET_KINDS = {
  "v6-project-uri": "v6-controller",
  "erc20-transfer": "erc20-token",
  "v6-pay": "v6-terminal"
} as const satisfies Readonly<Record<SessionActionInput["kind"], string>>

type TargetKind = (typeof TARGET_KINDS)[keyof typeof TARGET_KINDS]
type Reviewed = SmartManifest["reviewed"]
export type ReviewedTarget = Reviewed["targets"][number]
export type ReviewedAsset = Reviewed["assets"][number]

export const reviewedTarget = (
  { reviewed }: SmartManifest,
  kind: TargetKind,
  address: Address
): ReviewedTarget | undefined => reviewed.targets.find(each => each.kind === kind && each.address === address)

/** Of the wallet's own manifest on its chain, and of any on another one. */
export const reviewedAsset = (
  own: SmartManifest,
  all: ReadonlyArray<SmartManifest>,
  { chainId, asset }: { readonly chainId: number; readonly asset: Address }
): ReviewedAsset | undefined => {
  const manifests = chainId === own.chainId ? [own] : all.filter(each => each.chainId === chainId)
  return manifests.flatMap(({ reviewed }) => reviewed.assets).find(({ address }) => address === asset)
}
