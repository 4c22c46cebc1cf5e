/** What happens on a fresh sandbox chain once its contracts are there: two projects, a token, a first payment, and then the families. */
import { type Address, encodeFunctionData, parseEther, zeroAddress, zeroHash } from "viem"
import { addressOf, createdAt } from "./addresses.ts"
import {
  call,
  ETH_CURRENCY,
  metadata,
  NATIVE_CURRENCY,
  NATIVE_TOKEN,
  nativeTerminal,
  ruleset,
  type SandboxAccounts,
  type SandboxCall
} from "./calls.ts"
import { loanSeed } from "./families/loans.ts"
import { revnetSeed } from "./families/revnets.ts"
import { routingSeed } from "./families/routing.ts"
import { shopSeed } from "./families/shops.ts"
import { suckerSeed } from "./families/suckers.ts"
import { protocolAbi } from "./protocolAbi.ts"

export const FEE_PROJECT_ID = 1n
export const DEMO_PROJECT_ID = 2n
const RESERVED_TOKENS_GROUP = 1n
const SPLITS_TOTAL = 1_000_000_000
const WEEK_SECONDS = 604_800
const FIRST_PAYMENT = parseEther("10")

const split = { preferAddToBalance: false, lockedUntil: 0, hook: zeroAddress }

/** Weekly cycles: a fifth of new tokens is reserved; a half and a quarter of each payout go to a wallet and to project 1. */
const demoRuleset = ({ beneficiary }: SandboxAccounts, terminal: Address) => ({
  ...ruleset,
  duration: WEEK_SECONDS,
  weightCutPercent: 50_000_000,
  metadata: { ...metadata, reservedPercent: 2000, cashOutTaxRate: 5000 },
  splitGroups: [
    {
      groupId: RESERVED_TOKENS_GROUP,
      splits: [{ ...split, percent: SPLITS_TOTAL / 2, projectId: 0n, beneficiary }]
    },
    {
      groupId: BigInt(NATIVE_TOKEN),
      splits: [
        { ...split, percent: SPLITS_TOTAL / 2, projectId: 0n, beneficiary },
        { ...split, percent: SPLITS_TOTAL / 4, projectId: FEE_PROJECT_ID, beneficiary }
      ]
    }
  ],
  fundAccessLimitGroups: [
    {
      terminal,
      token: NATIVE_TOKEN,
      payoutLimits: [{ amount: parseEther("2"), currency: NATIVE_CURRENCY }],
      surplusAllowances: [{ amount: parseEther("1"), currency: NATIVE_CURRENCY }]
    }
  ]
})

/** The first contract that JBTokens creates, at its nonce 1, is the demo project's token. */
export const demoTokenOf = (owner: Address): Address => createdAt(addressOf("JBTokens", owner), 1)

const wiring = (owner: Address): ReadonlyArray<SandboxCall> => [
  call(
    addressOf("JBDirectory", owner),
    encodeFunctionData({
      abi: protocolAbi,
      functionName: "setIsAllowedToSetFirstController",
      args: [addressOf("JBController", owner), true]
    })
  ),
  call(
    addressOf("JBPrices", owner),
    encodeFunctionData({
      abi: protocolAbi,
      functionName: "addPriceFeedFor",
      args: [0n, BigInt(NATIVE_CURRENCY), BigInt(ETH_CURRENCY), addressOf("JBMatchingPriceFeed", owner)]
    })
  )
]

const launches = (accounts: SandboxAccounts): ReadonlyArray<SandboxCall> => {
  const controller = addressOf("JBController", accounts.owner)
  const terminal = addressOf("JBMultiTerminal", accounts.owner)
  const terminals = [nativeTerminal(terminal)]
  const launchFeeProject = encodeFunctionData({
    abi: protocolAbi,
    functionName: "launchRulesetsFor",
    args: [FEE_PROJECT_ID, "", [ruleset], terminals, "Receives the fees"]
  })
  const launchDemo = encodeFunctionData({
    abi: protocolAbi,
    functionName: "launchProjectFor",
    args: [accounts.owner, "", [demoRuleset(accounts, terminal)], terminals, "Shows every part"]
  })
  return [call(controller, launchFeeProject), call(controller, launchDemo)]
}

export const seedCalls = (accounts: SandboxAccounts): ReadonlyArray<SandboxCall> => {
  const deployToken = encodeFunctionData({
    abi: protocolAbi,
    functionName: "deployERC20For",
    args: [DEMO_PROJECT_ID, "Demo Token", "DEMO", zeroHash]
  })
  const pay = encodeFunctionData({
    abi: protocolAbi,
    functionName: "pay",
    args: [DEMO_PROJECT_ID, NATIVE_TOKEN, FIRST_PAYMENT, accounts.holder, 0n, "First payment", "0x"]
  })
  return [
    ...wiring(accounts.owner),
    ...launches(accounts),
    call(addressOf("JBController", accounts.owner), deployToken),
    call(addressOf("JBMultiTerminal", accounts.owner), pay, FIRST_PAYMENT),
    ...shopSeed(accounts),
    ...revnetSeed(accounts),
    ...loanSeed(accounts),
    ...suckerSeed(accounts),
    ...routingSeed(accounts)
  ]
}
