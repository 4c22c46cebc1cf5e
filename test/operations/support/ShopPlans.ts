/** What plans for shops are asked on the sandbox, and what the contracts then tell. */
import {
  type Abi,
  type Address,
  createPublicClient,
  http,
  parseAbi,
  parseEther,
  zeroAddress,
  zeroHash
} from "viem"
import { foundry } from "viem/chains"
import { assert } from "vitest"
import { addressOf } from "../../../sandbox/addresses.ts"
import { shopAbi } from "../../../sandbox/families/shops.ts"
import { abi } from "../../sandbox/support/abi.ts"
import { onSandbox } from "../../sandbox/support/Sandbox.ts"
import type { PlanBench } from "../../support/PlanBench.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { rulesetConfiguration } from "./SandboxInputs.ts"

export const NATIVE_CURRENCY = 61_166
export const ETH_CURRENCY = 1
export const shopProject = { chainId: 31337, projectId: "3" }

const storeAbi = parseAbi([
  "struct TierRead { uint32 id; uint104 price; uint32 remainingSupply; uint32 initialSupply; uint104 votingUnits; uint16 reserveFrequency; address reserveBeneficiary; bytes32 encodedIpfsUri; uint24 category; uint8 discountPercent; FlagsRead flags; uint32 splitPercent; string resolvedUri; }",
  "struct FlagsRead { bool allowOwnerMint; bool transfersPausable; bool cantBeRemoved; bool cantIncreaseDiscountPercent; bool cantBuyWithCredits; }",
  "function tiersOf(address hook, uint256[] categories, bool includeResolvedUri, uint256 startingId, uint256 size) view returns (TierRead[] tiers)",
  "function owner() view returns (address)",
  "function name() view returns (string)",
  "function deployerOf(address addr) view returns (address deployer)",
  "function setCreationFee(uint256 fee, address receiver)",
  "function transferFrom(address from, address to, uint256 tokenId)",
  "function decimals() view returns (uint8)"
])

export const plansAbi = [...abi, ...storeAbi, ...shopAbi] as const

export const plainFlags = {
  allowOwnerMint: false,
  useReserveBeneficiaryAsDefault: false,
  transfersPausable: false,
  useVotingUnits: false,
  cantBeRemoved: false,
  cantIncreaseDiscountPercent: false,
  cantBuyWithCredits: false
}

export const tier = ({
  flags = {},
  ...over
}: {
  readonly flags?: object
  readonly [name: string]: unknown
} = {}) => ({
  price: String(parseEther("2")),
  initialSupply: 7,
  votingUnits: 0,
  reserveFrequency: 0,
  reserveBeneficiary: zeroAddress,
  encodedIpfsUri: zeroHash,
  category: 4,
  discountPercent: 50,
  splitPercent: 0,
  splits: [],
  ...over,
  flags: { ...plainFlags, ...flags }
})

export const at = ({ manifest }: PlanBench, name: string): Address =>
  manifest.deployments.find(({ alias }) => alias === name)?.address ?? assert.fail(name)

export const reader = ({ chain }: PlanBench) =>
  createPublicClient({ chain: foundry, transport: http(chain.url) })

/** By an account that the local chain signs for. */
export const send = async (
  bench: PlanBench,
  from: Address,
  to: Address,
  functionName: string,
  args: ReadonlyArray<unknown>
) => {
  const { client, mined } = onSandbox(bench.chain.url, bench.manifest)
  const every: Abi = plansAbi
  await mined(client.writeContract({ account: from, address: to, abi: every, functionName, args }))
}

export const tiersOf = (bench: PlanBench, hook: Address) =>
  reader(bench).readContract({
    address: at(bench, "JB721TiersHookStore"),
    abi: plansAbi,
    functionName: "tiersOf",
    args: [hook, [], false, 0n, 32n]
  })

const { dataHook: _, useDataHookForPay: __, ...metadata } = rulesetConfiguration.metadata

const context = { token: NATIVE_TOKEN, decimals: 18, currency: NATIVE_CURRENCY }

export const shopConfiguration = {
  name: "Launched",
  symbol: "LNCH",
  baseUri: "ipfs://",
  tokenUriResolver: zeroAddress,
  contractUri: "ipfs://contract",
  tiersConfig: { tiers: [tier(), tier({ category: 9 })], currency: ETH_CURRENCY, decimals: 18 },
  flags: {
    noNewTiersWithReserves: true,
    noNewTiersWithVotes: true,
    noNewTiersWithOwnerMinting: true,
    preventOverspending: true,
    issueTokensForSplits: false
  }
}

interface Launching {
  /** Of the sandbox, who launches. */
  readonly owner: Address
  readonly beneficiary: Address
}

const terminalOf = (owner: Address, over: object = {}) => ({
  terminal: addressOf("JBMultiTerminal", owner),
  accountingContextsToAccept: [{ ...context, ...over }]
})

export const shopLaunch = ({ owner, beneficiary }: Launching, over: object = {}) => ({
  chainId: 31337,
  account: owner,
  owner: beneficiary,
  deployTiersHookConfig: shopConfiguration,
  projectUri: "ipfs://launched",
  rulesetConfigurations: [{ ...rulesetConfiguration, metadata }],
  terminalConfigurations: [terminalOf(owner)],
  memo: "Opens",
  salt: zeroHash,
  ...over
})

/** A launch that accepts this instead of native ether. */
export const accepting = ({ owner }: Launching, over: object) => ({
  terminalConfigurations: [terminalOf(owner, over)]
})

/** A launch whose shop differs in this. */
export const selling = (over: object) => ({
  deployTiersHookConfig: { ...shopConfiguration, ...over }
})
