/** A 721 shop behind the data hook of project 7. */
import { Effect } from "effect"
import type { Address } from "../../../src/values/Scalars.ts"
import { proxyCode } from "../../protocol/support/Clones.ts"
import { type Contracts, contracts } from "./Contracts.ts"
import { metadata, PROJECT, ruleset, STRANGER, ZERO } from "./Revnets.ts"

export const HOOK: Address = "0x0000000000000000000000000000000000007215"

export const tier = (id: number, changes: Readonly<Record<string, unknown>> = {}) => ({
  id,
  price: 1_000n,
  remainingSupply: 9,
  initialSupply: 10,
  votingUnits: 0n,
  reserveFrequency: 0,
  reserveBeneficiary: ZERO,
  encodedIpfsUri: `0x${"00".repeat(32)}`,
  category: 0,
  discountPercent: 20,
  flags: {
    allowOwnerMint: false,
    transfersPausable: false,
    cantBeRemoved: false,
    cantIncreaseDiscountPercent: false,
    cantBuyWithCredits: false
  },
  splitPercent: 0,
  resolvedUri: "",
  ...changes
})

export const flags = {
  noNewTiersWithReserves: false,
  noNewTiersWithVotes: false,
  noNewTiersWithOwnerMinting: false,
  preventOverspending: false,
  issueTokensForSplits: false
}

export const hookCall = (name: string, args: ReadonlyArray<unknown> = []) => ({
  contract: "JB721TiersHook",
  function: name,
  args,
  at: HOOK
})

export const storeCall = (name: string, ...args: ReadonlyArray<unknown>) => ({
  contract: "JB721TiersHookStore",
  function: name,
  args: [HOOK, ...args]
})

export const currentRuleset = { contract: "JBController", function: "currentRulesetOf", args: [PROJECT] }

export const withDataHook = (chain: Contracts, dataHook: Address, useDataHookForPay = true) =>
  chain.says(currentRuleset, [ruleset(), metadata({ useDataHookForPay, dataHook })])

/** A proved clone, which the project's current ruleset uses. */
export const withClone = (chain: Contracts) =>
  chain
    .code(HOOK, proxyCode("solady", chain.at("JB721TiersHook")))
    .says(hookCall("STORE"), chain.at("JB721TiersHookStore"))
    .says(hookCall("DIRECTORY"), chain.at("JBDirectory"))
    .says(hookCall("projectId"), PROJECT)
    .says(hookCall("METADATA_ID_TARGET"), chain.at("JB721TiersHook"))
    .says(hookCall("pricingContext"), [1n, 18n])
    .says(hookCall("baseURI"), "ipfs://base/")
    .says(hookCall("contractURI"), "ipfs://contract")
    .says(storeCall("flagsOf"), flags)
    .says(storeCall("tokenUriResolverOf"), ZERO)

export const shop = Effect.map(contracts, chain =>
  withDataHook(withClone(chain), HOOK)
    .says({ contract: "JBDirectory", function: "controllerOf", args: [PROJECT] }, chain.at("JBController"))
    .says({ contract: "JBProjects", function: "ownerOf", args: [PROJECT] }, STRANGER)
    .says(
      { contract: "REVDeployer", function: "hashedEncodedConfigurationOf", args: [PROJECT] },
      `0x${"00".repeat(32)}`
    )
    .says({ contract: "REVOwner", function: "tiered721HookOf", args: [PROJECT] }, ZERO)
)
