/** Project 7 as a revnet of canonical contracts. */
import { Effect } from "effect"
import type { Address } from "../../../src/values/Scalars.ts"
import { NO_RULESET_FLAGS } from "../../support/RulesetFlags.ts"
import { type Contracts, contracts } from "./Contracts.ts"

export const PROJECT = 7n
export const NATIVE: Address = "0x000000000000000000000000000000000000EEEe"
export const ZERO: Address = "0x0000000000000000000000000000000000000000"
export const STRANGER: Address = "0x7777777777777777777777777777777777777777"
export const HASH_OF_CONFIGURATION = `0x${"5c".repeat(32)}`

export const ruleset = (changes: Readonly<Record<string, unknown>> = {}) => ({
  cycleNumber: 1,
  id: 1_690_000_001,
  basedOnId: 0,
  start: 1_690_000_001n,
  duration: 0,
  weight: 10n ** 21n,
  weightCutPercent: 0,
  approvalHook: ZERO,
  metadata: 0n,
  ...changes
})

export const metadata = (changes: Readonly<Record<string, unknown>> = {}) => ({
  reservedPercent: 2_000,
  cashOutTaxRate: 5_000,
  baseCurrency: 1,
  ...NO_RULESET_FLAGS,
  dataHook: ZERO,
  metadata: 0,
  ...changes
})

/** What the controller tells of the current ruleset before the first one has started: nothing but zeros. */
export const NOT_STARTED = [
  ruleset({ cycleNumber: 0, id: 0, start: 0n, weight: 0n }),
  metadata({ reservedPercent: 0, cashOutTaxRate: 0, baseCurrency: 0 })
]

export const DEPENDENCIES = [
  ["OWNER", "REVOwner"],
  ["LOANS", "REVLoans"],
  ["MULTI_TERMINAL", "JBMultiTerminal"],
  ["PERMISSIONS", "JBPermissions"],
  ["CONTROLLER", "JBController"],
  ["DIRECTORY", "JBDirectory"],
  ["PROJECTS", "JBProjects"]
] as const

export const revnetMetadata = (chain: Contracts) =>
  metadata({ useDataHookForPay: true, useDataHookForCashOut: true, dataHook: chain.at("REVOwner") })

/** Everything that section 3.6 asks, answered as a revnet answers it. */
export const revnet = Effect.map(contracts, chain => {
  for (const [getter, contract] of DEPENDENCIES)
    chain.says({ contract: "REVDeployer", function: getter }, chain.at(contract))
  return chain
    .says(
      { contract: "REVDeployer", function: "hashedEncodedConfigurationOf", args: [PROJECT] },
      HASH_OF_CONFIGURATION
    )
    .says({ contract: "JBProjects", function: "ownerOf", args: [PROJECT] }, chain.at("REVOwner"))
    .says({ contract: "JBDirectory", function: "controllerOf", args: [PROJECT] }, chain.at("JBController"))
    .says({ contract: "JBController", function: "currentRulesetOf", args: [PROJECT] }, [
      ruleset(),
      revnetMetadata(chain)
    ])
    .says({ contract: "REVLoans", function: "TERMINAL" }, chain.at("JBMultiTerminal"))
})
