/** Projects 1 to 3: NANA, CPN and REV, which started long before the recordings. */
import { type Address, encodeFunctionData, parseAbi, parseEther, toHex, zeroAddress, zeroHash } from "viem"
import { ETH_CURRENCY, nativeTerminal } from "../../../../sandbox/calls.ts"
import { revnetAbi } from "../../../../sandbox/families/revnets.ts"
import { named, PROTOCOL_OWNER } from "../Placed.ts"
import { recordedSuckers } from "./Bridges.ts"
import { type Sent, sent } from "./Sent.ts"

const FIRST_START = 1_740_089_444
const SECOND_START = 1_802_297_444
const DAY = 86_400
const SPLITS_TOTAL = 1_000_000_000
const SUCKERS_ALLOWED = 4

/** The issuance that a stage takes over from the one before. */
const INHERITED = 1n

interface Kind {
  readonly name: string
  readonly ticker: string
  readonly splitPercent: number
  readonly days: number
  readonly lastStart?: number
  readonly suckers?: typeof recordedSuckers
}

const stage = (splitPercent: number) => ({
  startsAtOrAfter: FIRST_START,
  autoIssuances: [],
  splitPercent,
  splits: [
    {
      percent: SPLITS_TOTAL,
      projectId: 0n,
      beneficiary: PROTOCOL_OWNER,
      preferAddToBalance: false,
      lockedUntil: 0,
      hook: zeroAddress
    }
  ],
  initialIssuance: parseEther("10000"),
  issuanceCutFrequency: 0,
  issuanceCutPercent: 380_000_000,
  cashOutTaxRate: 1_000,
  extraMetadata: SUCKERS_ALLOWED
})

const stagesOf = ({ splitPercent, days, lastStart }: Kind) => {
  const first = { ...stage(splitPercent), issuanceCutFrequency: days * DAY }
  if (lastStart === undefined) return [first]
  const second = {
    ...first,
    startsAtOrAfter: SECOND_START,
    initialIssuance: INHERITED,
    issuanceCutFrequency: 30 * DAY,
    issuanceCutPercent: 70_000_000
  }
  const last = {
    startsAtOrAfter: lastStart,
    initialIssuance: 0n,
    issuanceCutFrequency: 0,
    issuanceCutPercent: 0
  }
  return [first, second, { ...second, ...last }]
}

const deployed = (revnetId: bigint, kind: Kind): Sent => {
  const { accountingContextsToAccept } = nativeTerminal(named("JBMultiTerminal"))
  const description = {
    name: kind.name,
    ticker: kind.ticker,
    uri: "",
    salt: toHex(kind.ticker, { size: 32 })
  }
  return sent(
    named("REVDeployer"),
    encodeFunctionData({
      abi: revnetAbi,
      functionName: "deployFor",
      args: [
        revnetId,
        {
          description,
          baseCurrency: ETH_CURRENCY,
          operator: PROTOCOL_OWNER,
          scopeCashOutsToLocalBalances: false,
          stageConfigurations: stagesOf(kind)
        },
        accountingContextsToAccept,
        kind.suckers ?? { deployerConfigurations: [], salt: zeroHash }
      ]
    })
  )
}

const startAbi = parseAbi(["function approve(address to, uint256 tokenId)"])

const call = (to: Address, data: `0x${string}`) => sent(to, data)

export const revnets: ReadonlyArray<Sent> = [
  call(
    named("REVOwner"),
    encodeFunctionData({ abi: revnetAbi, functionName: "setDeployer", args: [named("REVDeployer")] })
  ),
  call(
    named("JBProjects"),
    encodeFunctionData({ abi: startAbi, functionName: "approve", args: [named("REVDeployer"), 1n] })
  ),
  deployed(1n, {
    name: "Bananapus",
    ticker: "NANA",
    splitPercent: 6_200,
    days: 360,
    suckers: recordedSuckers
  }),
  deployed(0n, { name: "Croptop", ticker: "CPN", splitPercent: 3_800, days: 120, lastStart: 2_131_481_444 }),
  deployed(0n, { name: "Revnet", ticker: "REV", splitPercent: 3_800, days: 90, lastStart: 2_113_337_444 })
]
