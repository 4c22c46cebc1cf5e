/** Projects 4 to 7 without a controller, and the samples 8 and 9; whoever creates another pays the fee. */
import { type Address, encodeFunctionData, parseAbi, parseEther, zeroAddress, zeroHash } from "viem"
import { metadata, NATIVE_CURRENCY, NATIVE_TOKEN, nativeTerminal } from "../../../../sandbox/calls.ts"
import { protocolAbi } from "../../../../sandbox/protocolAbi.ts"
import { named, PROJECT_PAYER, PROTOCOL_OWNER } from "../Placed.ts"
import { type Sent, sent } from "./Sent.ts"
import { USD_CURRENCY, USDC_CURRENCY } from "./Wiring.ts"

const CREATION_FEE = parseEther("0.0001")
const SPLITS_TOTAL = 1_000_000_000
const WEEK = 604_800
const TERMINAL = named("JBMultiTerminal")

const projectsAbi = parseAbi([
  "function createFor(address owner) payable returns (uint256 projectId)",
  "function initialize(uint256 projectId, address beneficiary, string memo, bytes metadata, bool addToBalance, address owner)",
  "function setCreationFee(uint256 fee, address receiver)"
])

const created = sent(
  named("JBProjects"),
  encodeFunctionData({ abi: projectsAbi, functionName: "createFor", args: [PROTOCOL_OWNER] })
)

const fee: ReadonlyArray<Sent> = [
  sent(
    PROJECT_PAYER,
    encodeFunctionData({
      abi: projectsAbi,
      functionName: "initialize",
      args: [1n, zeroAddress, "Project creation fee", "0x", false, PROTOCOL_OWNER]
    })
  ),
  sent(
    named("JBProjects"),
    encodeFunctionData({
      abi: projectsAbi,
      functionName: "setCreationFee",
      args: [CREATION_FEE, PROJECT_PAYER]
    })
  )
]

const split = (percent: number, beneficiary: Address, projectId = 0n) => ({
  percent,
  projectId,
  beneficiary,
  preferAddToBalance: projectId !== 0n,
  lockedUntil: 0,
  hook: zeroAddress
})

const limits = (token: Address, currency: number, payout: bigint, allowance: bigint) => ({
  terminal: TERMINAL,
  token,
  payoutLimits: [{ amount: payout, currency }],
  surplusAllowances: allowance === 0n ? [] : [{ amount: allowance, currency }]
})

const plain = { ...metadata, allowOwnerMinting: false, allowSetTerminals: false, allowAddPriceFeed: false }

const ether = {
  mustStartAtOrAfter: 0,
  duration: 0,
  weight: parseEther("1000"),
  weightCutPercent: 0,
  approvalHook: zeroAddress,
  metadata: {
    ...plain,
    reservedPercent: 1_000,
    cashOutTaxRate: 2_000,
    allowOwnerMinting: true,
    allowSetTerminals: true
  },
  splitGroups: [
    { groupId: 1n, splits: [split(SPLITS_TOTAL / 2, named("account3"))] },
    { groupId: BigInt(NATIVE_TOKEN), splits: [split((SPLITS_TOTAL / 10) * 4, named("account2"))] }
  ],
  fundAccessLimitGroups: [limits(NATIVE_TOKEN, NATIVE_CURRENCY, parseEther("5"), parseEther("2"))]
}

const dollars = {
  ...ether,
  duration: WEEK,
  weight: parseEther("10"),
  weightCutPercent: 100_000_000,
  approvalHook: named("JBDeadline1Day"),
  metadata: { ...plain, baseCurrency: USD_CURRENCY, cashOutTaxRate: 1_000 },
  splitGroups: [
    {
      groupId: BigInt(named("USDC")),
      splits: [split(SPLITS_TOTAL / 4, named("account1"), 8n), split(SPLITS_TOTAL / 4, named("account2"))]
    }
  ],
  fundAccessLimitGroups: [limits(named("USDC"), USDC_CURRENCY, 1_000_000_000n, 0n)]
}

const accepted = nativeTerminal(TERMINAL).accountingContextsToAccept
const usdc = { token: named("USDC"), decimals: 6, currency: USDC_CURRENCY }

const launched = (owner: Address, ruleset: typeof ether | typeof dollars, accepts: typeof accepted): Sent =>
  sent(
    named("JBController"),
    encodeFunctionData({
      abi: protocolAbi,
      functionName: "launchProjectFor",
      args: [owner, "", [ruleset], [{ terminal: TERMINAL, accountingContextsToAccept: accepts }], ""]
    }),
    owner,
    CREATION_FEE
  )

const token = sent(
  named("JBController"),
  encodeFunctionData({
    abi: protocolAbi,
    functionName: "deployERC20For",
    args: [8n, "Local", "LOCAL", zeroHash]
  }),
  named("account0")
)

export const empty: ReadonlyArray<Sent> = [created, created, created, created]

export const samples: ReadonlyArray<Sent> = [
  ...fee,
  launched(named("account0"), ether, accepted),
  launched(named("account1"), dollars, [...accepted, usdc]),
  token
]
