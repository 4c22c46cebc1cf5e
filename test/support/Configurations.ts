/** Random configurations that keep every rule of the inputs, and what ethers calls their types. */
import fc from "fast-check"
import type {
  AccountingContextInput,
  RulesetConfiguration,
  SplitInput,
  TerminalConfiguration
} from "../../src/operations/shared/inputs/Configuration.ts"
import { ZERO_ADDRESS } from "../../src/values/Scalars.ts"
import { anAddress, aUint } from "./Encodings.ts"

const BILLION = 1_000_000_000
const LAST_U32 = 4_294_967_295

export const SPLIT_TYPE =
  "tuple(uint32 percent, uint64 projectId, address beneficiary, bool preferAddToBalance, uint48 lockedUntil, address hook)"

const FLAGS = [
  "pausePay",
  "pauseCreditTransfers",
  "allowOwnerMinting",
  "allowSetCustomToken",
  "allowTerminalMigration",
  "allowSetTerminals",
  "allowSetController",
  "allowAddAccountingContext",
  "allowAddPriceFeed",
  "ownerMustSendPayouts",
  "holdFees",
  "scopeCashOutsToLocalBalances",
  "useDataHookForPay",
  "useDataHookForCashOut"
] as const

const METADATA_TYPE = `tuple(uint16 reservedPercent, uint16 cashOutTaxRate, uint32 baseCurrency, ${FLAGS.map(name => `bool ${name}`).join(", ")}, address dataHook, uint16 metadata)`

const LIMIT_TYPE = "tuple(uint224 amount, uint32 currency)[]"

export const RULESETS_TYPE = `tuple(uint48 mustStartAtOrAfter, uint32 duration, uint112 weight, uint32 weightCutPercent, address approvalHook, ${METADATA_TYPE} metadata, tuple(uint256 groupId, ${SPLIT_TYPE}[] splits)[] splitGroups, tuple(address terminal, address token, ${LIMIT_TYPE} payoutLimits, ${LIMIT_TYPE} surplusAllowances)[] fundAccessLimitGroups)[]`

export const TERMINALS_TYPE =
  "tuple(address terminal, tuple(address token, uint8 decimals, uint32 currency)[] accountingContextsToAccept)[]"

const few = { maxLength: 3 }
const flag = fc.boolean()

/** Three of a third each are the whole at most. */
const aPercent = fc.integer({ min: 1, max: BILLION / 4 })

export const aSplit: fc.Arbitrary<typeof SplitInput.Type> = fc.record({
  percent: aPercent,
  projectId: aUint(64),
  beneficiary: anAddress,
  preferAddToBalance: flag,
  lockedUntil: aUint(48),
  hook: fc.oneof(anAddress, fc.constant(ZERO_ADDRESS))
})

const hookSplit = fc.record({
  percent: aPercent,
  projectId: fc.constant("0"),
  beneficiary: fc.constant(ZERO_ADDRESS),
  preferAddToBalance: flag,
  lockedUntil: aUint(48),
  hook: anAddress
})

export const someSplits = fc.array(fc.oneof(aSplit, hookSplit), few)

const someAmounts = fc
  .uniqueArray(fc.integer({ min: 1, max: LAST_U32 }), few)
  .chain(currencies =>
    fc.tuple(
      ...currencies
        .toSorted((a, b) => a - b)
        .map(currency => fc.record({ amount: aUint(224), currency: fc.constant(currency) }))
    )
  )

interface Accepted {
  readonly terminal: `0x${string}`
  readonly token: `0x${string}`
}

const limitsOf = ({ terminal, token }: Accepted) =>
  fc.record({
    terminal: fc.constant(terminal),
    token: fc.constant(token),
    payoutLimits: someAmounts,
    surplusAllowances: someAmounts
  })

const flags = fc.record({
  pausePay: flag,
  pauseCreditTransfers: flag,
  allowOwnerMinting: flag,
  allowSetCustomToken: flag,
  allowTerminalMigration: flag,
  allowSetTerminals: flag,
  allowSetController: flag,
  allowAddAccountingContext: flag,
  allowAddPriceFeed: flag,
  ownerMustSendPayouts: flag,
  holdFees: flag,
  scopeCashOutsToLocalBalances: flag,
  useDataHookForPay: flag,
  useDataHookForCashOut: flag
})

const numbers = fc.record({
  reservedPercent: fc.integer({ min: 0, max: 10_000 }),
  cashOutTaxRate: fc.integer({ min: 0, max: 10_000 }),
  baseCurrency: fc.integer({ min: 0, max: LAST_U32 }),
  dataHook: anAddress,
  metadata: fc.integer({ min: 0, max: 16_383 })
})

const metadata = fc.tuple(flags, numbers).map(([switched, counted]) => ({ ...switched, ...counted }))

const someGroups = fc.uniqueArray(fc.record({ groupId: aUint(256), splits: someSplits }), {
  ...few,
  selector: ({ groupId }) => groupId
})

/** Limits only of the terminals and tokens that are given. */
export const aRuleset = (accepted: ReadonlyArray<Accepted>): fc.Arbitrary<RulesetConfiguration> =>
  fc.record({
    mustStartAtOrAfter: aUint(47),
    duration: fc.integer({ min: 0, max: LAST_U32 }),
    weight: aUint(112),
    weightCutPercent: fc.integer({ min: 0, max: BILLION }),
    approvalHook: fc.oneof(anAddress, fc.constant(ZERO_ADDRESS)),
    metadata,
    splitGroups: someGroups,
    fundAccessLimitGroups: fc.tuple(...accepted.map(limitsOf))
  })

const aContext: fc.Arbitrary<typeof AccountingContextInput.Type> = fc.record({
  token: anAddress,
  decimals: fc.integer({ min: 0, max: 36 }),
  currency: fc.integer({ min: 1, max: LAST_U32 })
})

export const someTerminals: fc.Arbitrary<ReadonlyArray<TerminalConfiguration>> = fc.uniqueArray(
  fc.record({
    terminal: anAddress,
    accountingContextsToAccept: fc.uniqueArray(aContext, { ...few, selector: ({ token }) => token })
  }),
  { maxLength: 2, selector: ({ terminal }) => terminal }
)

export const acceptedBy = (terminals: ReadonlyArray<TerminalConfiguration>): ReadonlyArray<Accepted> =>
  terminals.flatMap(({ terminal, accountingContextsToAccept }) =>
    accountingContextsToAccept.map(({ token }) => ({ terminal, token }))
  )

export const someRulesets = (accepted: ReadonlyArray<Accepted>) =>
  fc.array(aRuleset(accepted), { minLength: 1, maxLength: 3 })

/** Limits of terminals that nobody has to have named. */
export const freeRulesets = fc
  .uniqueArray(fc.record({ terminal: anAddress, token: anAddress }), {
    maxLength: 2,
    selector: ({ terminal, token }) => terminal + token
  })
  .chain(someRulesets)
