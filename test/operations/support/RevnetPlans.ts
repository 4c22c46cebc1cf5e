/** What is asked for revnets on the sandbox, and what the contracts then say. */
import {
  type Address,
  createPublicClient,
  http,
  type PublicClient,
  parseAbi,
  zeroAddress,
  zeroHash
} from "viem"
import { assert } from "vitest"
import type { SandboxAccounts } from "../../../sandbox/calls.ts"
import { sandboxUsdOf } from "../../../sandbox/families/routing.ts"
import { word } from "../../../sandbox/families/suckers.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { plainFlags } from "./ShopPlans.ts"

export const REVNET = { chainId: 31337, projectId: "4" }
export const HOLDER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
export const BENEFICIARY = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
export const SALT = `0x${"5a".repeat(32)}`
const OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const ETHER = "1000000000000000000"
const SPLITS_TOTAL = 1_000_000_000
const SUCKERS_ALLOWED = 4

/** In the year 2096. */
export const LATER = 4_000_000_000

const abi = parseAbi([
  "function allSuckersOf(uint256 projectId) view returns (address[])",
  "function amountToAutoIssue(uint256 revnetId, uint256 stageId, address beneficiary) view returns (uint256)",
  "function balanceOf(address account) view returns (uint256)",
  "function cashOutDelayOf(uint256 revnetId) view returns (uint256)",
  "function count() view returns (uint256)",
  "function hasPermission(address operator, address account, uint256 projectId, uint256 permissionId, bool includeRoot, bool includeWildcardProjectId) view returns (bool)",
  "function isOperatorOf(uint256 revnetId, address addr) view returns (bool)",
  "function latestRulesetIdOf(uint256 projectId) view returns (uint256)",
  "function maxTierIdOf(address hook) view returns (uint256)",
  "function ownerOf(uint256 tokenId) view returns (address)",
  "function owner() view returns (address)",
  "function tiered721HookOf(uint256 revnetId) view returns (address)",
  "function totalBalanceOf(address holder, uint256 projectId) view returns (uint256)"
])

/** Where the sandbox's contracts are, whatever chain it is on. */
export interface Placed {
  readonly chain: { readonly url: string }
  readonly manifest: {
    readonly accounts: SandboxAccounts
    readonly deployments: ReadonlyArray<{ readonly alias: string; readonly address: Address }>
  }
}

export const at = ({ manifest }: Pick<Placed, "manifest">, name: string): Address =>
  manifest.deployments.find(({ alias }) => alias === name)?.address ?? assert.fail(`no ${name}`)

export const readerOf = (bench: Placed) => {
  const client: PublicClient = createPublicClient({ transport: http(bench.chain.url) })
  return { client, abi, at: (name: string) => ({ abi, address: at(bench, name) }) }
}

/** The id of the seeded revnet's first stage; the second has the next one. */
export const seededStageOf = async (bench: Placed): Promise<bigint> => {
  const { client, at: contract } = readerOf(bench)
  const latest = await client.readContract({
    ...contract("JBRulesets"),
    functionName: "latestRulesetIdOf",
    args: [BigInt(REVNET.projectId)]
  })
  return latest - 1n
}

export const stage = (over: object = {}) => ({
  startsAtOrAfter: String(LATER),
  autoIssuances: [{ chainId: 31337, count: ETHER, beneficiary: HOLDER }],
  splitPercent: 1_000,
  splits: [
    {
      percent: SPLITS_TOTAL,
      projectId: "0",
      beneficiary: BENEFICIARY,
      preferAddToBalance: false,
      lockedUntil: "0",
      hook: zeroAddress
    }
  ],
  initialIssuance: ETHER,
  issuanceCutFrequency: 86_400,
  issuanceCutPercent: 10_000_000,
  cashOutTaxRate: 2_000,
  extraMetadata: SUCKERS_ALLOWED,
  ...over
})

export const native = { token: NATIVE_TOKEN, decimals: 18, currency: 61_166 }

export const deploying = ({
  config = {},
  ...over
}: {
  readonly config?: object
  [name: string]: unknown
} = {}) => ({
  chainId: 31337,
  account: OWNER,
  config: {
    description: { name: "Planned Revnet", ticker: "PLAN", uri: "ipfs://revnet", salt: SALT },
    baseCurrency: 1,
    operator: OWNER,
    scopeCashOutsToLocalBalances: false,
    stageConfigurations: [stage()],
    ...config
  },
  accountingContexts: [native],
  suckerConfig: { salt: zeroHash, deployerConfigurations: [] },
  allowedPosts: [],
  ...over
})

export const sucker = (deployer: Address, localToken: string = NATIVE_TOKEN) => ({
  deployer,
  peer: zeroHash,
  mappings: [{ localToken, minGas: 200_000, remoteToken: word(NATIVE_TOKEN) }]
})

/** With suckers, a shop and another token. */
export const deployingMore = (bench: Pick<Placed, "manifest">) => {
  const token = sandboxUsdOf(bench.manifest.accounts)
  return deploying({
    accountingContexts: [native, { token, decimals: 6, currency: Number(BigInt(token) & 0xffff_ffffn) }],
    suckerConfig: { salt: SALT, deployerConfigurations: [sucker(at(bench, "JBOptimismSuckerDeployer"))] },
    tiered721Config: shop(),
    allowedPosts: [post]
  })
}

const tier = {
  price: ETHER,
  initialSupply: 10,
  votingUnits: 0,
  reserveFrequency: 0,
  reserveBeneficiary: zeroAddress,
  encodedIpfsUri: SALT,
  category: 1,
  discountPercent: 0,
  flags: plainFlags,
  splitPercent: 0,
  splits: []
}

export const shop = (currency = 1) => ({
  baseline: {
    name: "Planned Shop",
    symbol: "SHOP",
    baseUri: "ipfs://",
    tokenUriResolver: zeroAddress,
    contractUri: "",
    tiersConfig: { tiers: [tier, { ...tier, category: 2 }], currency, decimals: 18 },
    flags: {
      noNewTiersWithReserves: false,
      noNewTiersWithVotes: false,
      noNewTiersWithOwnerMinting: false,
      preventOverspending: true
    }
  },
  salt: SALT,
  preventOperatorAdjustingTiers: false,
  preventOperatorUpdatingMetadata: false,
  preventOperatorMinting: true,
  preventOperatorIncreasingDiscountPercent: false
})

export const post = {
  category: 3,
  minimumPrice: ETHER,
  minimumTotalSupply: 1,
  maximumTotalSupply: 0,
  maximumSplitPercent: 0,
  allowedAddresses: []
}
