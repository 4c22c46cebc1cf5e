/** The hooks that the omnichain deployer keeps for each ruleset of a project. */
import { Effect, Schema } from "effect"
import type { DependentCall } from "../../../protocol/DependentCalls.ts"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { Address } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { AT_ONCE, currentAddressOf } from "./Core.ts"

const DEPLOYER = "JBOmnichainDeployer"

const Tiered = strict({ hook: Address, useDataHookForCashOut: Schema.Boolean })
const Extra = strict({
  dataHook: Address,
  useDataHookForPay: Schema.Boolean,
  useDataHookForCashOut: Schema.Boolean
})

export const readTieredHook = ({ read }: PinnedSnapshot, projectId: string, rulesetId: string) =>
  read(DEPLOYER, "tiered721HookOf", [projectId, rulesetId], Tiered)

export const readOmnichainHooks = (snapshot: PinnedSnapshot, projectId: string, rulesetId: string) =>
  Effect.all(
    {
      tiered: readTieredHook(snapshot, projectId, rulesetId),
      extra: snapshot.read(DEPLOYER, "extraDataHookOf", [projectId, rulesetId], Extra)
    },
    AT_ONCE
  )

const RULESET = { call: 0, index: 1 }

/** The current ruleset and what is kept for it; nothing where the chain has no omnichain deployer. */
export const omnichainCalls = (snapshot: PinnedSnapshot, projectId: string): ReadonlyArray<DependentCall> => {
  const [controller, deployer] = (["JBController", DEPLOYER] as const).map(name =>
    currentAddressOf(snapshot, name)
  )
  if (controller === undefined || deployer === undefined) return []
  const words = [projectId, RULESET]
  return [
    { to: controller, signature: "currentRulesetOf(uint256)", words: [projectId] },
    { to: deployer, signature: "tiered721HookOf(uint256,uint256)", words },
    { to: deployer, signature: "extraDataHookOf(uint256,uint256)", words }
  ]
}
