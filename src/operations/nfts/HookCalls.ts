/** Who names the 721 hook of a project, for calls foretold after the one that tells its current ruleset. */
import type { DependentCall, Word } from "../../protocol/DependentCalls.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { currentAddressOf } from "../shared/context/Core.ts"

/** `currentRulesetOf` comes first. */
const RULESET = 0
const RULESET_ID: Word = { call: RULESET, index: 1 }
export const DATA_HOOK: Word = { call: RULESET, index: 26 }

/** Those besides its ruleset; the first word of each answer is the hook. */
export const hookCalls = (snapshot: PinnedSnapshot, projectId: string): ReadonlyArray<DependentCall> => {
  const [owner, deployer] = (["REVOwner", "JBOmnichainDeployer"] as const).map(name =>
    currentAddressOf(snapshot, name)
  )
  return [
    ...(owner === undefined
      ? []
      : [{ to: owner, signature: "tiered721HookOf(uint256)", words: [projectId] }]),
    ...(deployer === undefined
      ? []
      : [{ to: deployer, signature: "tiered721HookOf(uint256,uint256)", words: [projectId, RULESET_ID] }])
  ]
}
