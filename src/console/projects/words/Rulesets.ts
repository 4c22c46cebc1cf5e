/** What a ruleset says of payments, tokens and cash-outs, until when, and what comes then. */
import { formatUnits, zeroAddress } from "viem"
import type { ProjectView } from "../../../projects/ProjectSchemas.ts"
import { amount, exact, type Piece, type ReviewRow, row, toned, words } from "../../../review/Words.ts"
import { tokenCount } from "./Assets.ts"
import { instantAnd, lengthText } from "./Instants.ts"
import { unknownPieces } from "./Unknowns.ts"

type Rulesets = ProjectView["rulesets"]
export type RulesetRead = Rulesets["current"]
type Found = NonNullable<Extract<RulesetRead, { readonly status: "known" }>["value"]>

/** Parts of ten thousand, and of a billion, as percent. */
const [BASIS_DECIMALS, CUT_DECIMALS] = [2, 7]
const CURRENCIES: Readonly<Record<string, string>> = {
  "1": "ether",
  "2": "US dollar",
  "61166": "ether"
}

const percent = (parts: string, decimals: number): string => `${formatUnits(BigInt(parts), decimals)} %`

export const currencyName = (currency: string): string =>
  CURRENCIES[currency] ?? `unit of currency ${currency}`

const issuancePieces = ({ ruleset, metadata }: Found): ReadonlyArray<Piece> => {
  const { weight, weightCutPercent, duration } = ruleset
  if (weight === "0") return [words("none: payments issue no tokens")]
  const isCut = weightCutPercent !== "0" && duration !== "0"
  return [
    ...tokenCount(weight),
    words(` for each ${currencyName(metadata.baseCurrency)} paid in`),
    ...(isCut ? [words(`, cut by ${percent(weightCutPercent, CUT_DECIMALS)} each cycle`)] : [])
  ]
}

const reservedPieces = ({ metadata }: Found): ReadonlyArray<Piece> =>
  metadata.reservedPercent === "0"
    ? [words("nothing of what is issued")]
    : [amount(percent(metadata.reservedPercent, BASIS_DECIMALS)), words(" of what is issued")]

const taxPieces = ({ metadata }: Found): ReadonlyArray<Piece> => {
  const { cashOutTaxRate } = metadata
  if (cashOutTaxRate === "0") return [words("none: a cash-out takes its full share of the surplus")]
  if (cashOutTaxRate === "10000") return [words("all of it: a cash-out takes nothing of the surplus")]
  return [
    words("a rate of "),
    amount(percent(cashOutTaxRate, BASIS_DECIMALS)),
    words(": a cash-out takes less than its share of the surplus")
  ]
}

const pausedText = ({ metadata }: Found): string => {
  const paused = [
    ...(metadata.pausePay ? ["payments"] : []),
    ...(metadata.pauseCreditTransfers ? ["transfers of credits"] : [])
  ]
  return paused.length === 0 ? "nothing" : paused.join(" and ")
}

const pausedRow = (found: Found): ReviewRow => {
  const told = row("paused", words(pausedText(found)))
  return found.metadata.pausePay ? toned("warning", told) : told
}

const ALLOWED: ReadonlyArray<readonly [flag: keyof Found["metadata"], of: string, text: string]> = [
  ["allowOwnerMinting", "owner", "may mint tokens at any time"],
  ["allowSetCustomToken", "owner", "may set another token"],
  ["allowTerminalMigration", "owner", "may move the balance to another terminal"],
  ["allowSetTerminals", "owner", "may set other terminals"],
  ["allowSetController", "owner", "may set another controller"],
  ["allowAddAccountingContext", "owner", "may add tokens to account in"],
  ["allowAddPriceFeed", "owner", "may add price feeds"],
  ["ownerMustSendPayouts", "payouts", "are sent by the owner alone"],
  ["holdFees", "fees", "of payouts are held back and may be returned"],
  ["scopeCashOutsToLocalBalances", "cash-outs", "count the balance of this chain alone"],
  ["useDataHookForPay", "payments", "give what a data hook makes of them"],
  ["useDataHookForCashOut", "cash-outs", "give what a data hook makes of them"]
]

const rulesRow = (found: Found): ReviewRow => {
  const { metadata, ruleset } = found
  const told = ALLOWED.filter(([flag]) => metadata[flag] === true).map(([, of, text]) => row(of, words(text)))
  const hook = metadata.dataHook === zeroAddress ? [] : [row("data hook", exact(metadata.dataHook))]
  const approval =
    ruleset.approvalHook === zeroAddress
      ? row("approval hook", words("none: the owner may queue the next ruleset at any time"))
      : row("approval hook", exact(ruleset.approvalHook))
  return { ...row("further rules"), folded: true, rows: [...told, ...hook, approval] }
}

/** Zero where the ruleset has no end of its own. */
const endOf = ({ ruleset }: Found): bigint =>
  ruleset.duration === "0" ? 0n : BigInt(ruleset.start) + BigInt(ruleset.duration)

const endPieces = (found: Found, nowMillis: number): ReadonlyArray<Piece> => {
  const end = endOf(found)
  if (end === 0n) return [words("another one is queued; it has no end of its own")]
  return [
    words(`${instantAnd(String(end), nowMillis)}; each cycle takes ${lengthText(found.ruleset.duration)}`)
  ]
}

const FIGURES: ReadonlyArray<readonly [string, (found: Found) => ReadonlyArray<Piece>]> = [
  ["issuance", issuancePieces],
  ["reserved", reservedPieces],
  ["cash-out tax", taxPieces],
  ["paused", found => [words(pausedText(found))]]
]

const textOf = (pieces: ReadonlyArray<Piece>): string => pieces.map(({ text }) => text).join("")

/** What is not said of it stays as it is. */
const changedRows = (next: Found, current: Found | null): ReadonlyArray<ReviewRow> =>
  FIGURES.filter(([, tell]) => current === null || textOf(tell(next)) !== textOf(tell(current))).map(
    ([name, tell]) => row(name, ...tell(next))
  )

const nextRow = (next: Found, current: Found | null, nowMillis: number): ReviewRow => {
  const isSame = next.ruleset.id === current?.ruleset.id
  const changed = changedRows(next, current)
  const kind = isSame ? "the same ruleset again" : `ruleset ${next.ruleset.id}`
  const told = words(
    `${kind}, from ${instantAnd(next.ruleset.start, nowMillis)}${changed.length === 0 ? "; these figures stay" : ""}`
  )
  return { ...row("then", told), rows: changed }
}

const queuedRow = (queued: Rulesets["latestQueued"], known: ReadonlyArray<string>) => {
  if (queued.status === "unknown") return [row("queued last", ...unknownPieces(queued))]
  if (queued.value === null || known.includes(queued.value.ruleset.id)) return []
  const { approvalStatus, ruleset } = queued.value
  return [row("queued last", words(`ruleset ${ruleset.id}, approval: ${approvalStatus.name}`))]
}

const thenRows = (rulesets: Rulesets, current: Found | null, nowMillis: number) => {
  const { upcoming, latestQueued } = rulesets
  if (upcoming.status === "unknown") return [row("then", ...unknownPieces(upcoming))]
  const next = upcoming.value
  const ids = [current, next].flatMap(found => (found === null ? [] : [found.ruleset.id]))
  const then = next === null ? row("then", words("nothing is foreseen")) : nextRow(next, current, nowMillis)
  return [then, ...queuedRow(latestQueued, ids)]
}

export const rulesetRows = (rulesets: Rulesets, nowMillis: number): ReadonlyArray<ReviewRow> => {
  const { current } = rulesets
  if (current.status === "unknown")
    return [row("in force", ...unknownPieces(current)), ...thenRows(rulesets, null, nowMillis)]
  const found = current.value
  if (found === null) return [row("in force", words("no ruleset")), ...thenRows(rulesets, null, nowMillis)]
  return [
    row("in force", words(`cycle ${found.ruleset.cycleNumber} of ruleset ${found.ruleset.id}`)),
    row("issuance", ...issuancePieces(found)),
    row("reserved", ...reservedPieces(found)),
    row("cash-out tax", ...taxPieces(found)),
    pausedRow(found),
    row("until", ...endPieces(found, nowMillis)),
    ...thenRows(rulesets, found, nowMillis),
    rulesRow(found)
  ]
}
