/** What an operation would do now, from the service's own quote of it. */
import { isRecord } from "effect/Predicate"
import { amountPieces, isNative, type TokenFacts, tokenKey } from "../../../review/Amounts.ts"
import { exact, type Piece, type ReviewRow, row, toned, untrusted, words } from "../../../review/Words.ts"
import { printable } from "../../../values/UntrustedText.ts"
import type { Surroundings } from "../fields/Surroundings.ts"
import { digitsWords } from "./Beside.ts"
import { labelFor, memberWords } from "./MemberWords.ts"

interface Quoted {
  readonly chainId: number
  readonly tokens: ReadonlyMap<string, TokenFacts | undefined>
  readonly answer: unknown
}

const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value)

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const warningRows = (answer: unknown): ReadonlyArray<ReviewRow> =>
  list(at(answer, "warnings")).map(text => toned("warning", row("warning", words(printable(String(text))))))

const ofProject = ({ chainId, tokens, answer }: Quoted, name: string): ReadonlyArray<Piece> =>
  amountPieces({ kind: "project" }, at(answer, name), chainId, tokens)

const NOTHING_KNOWN: Surroundings = {
  known: { wallet: "", chains: [], tokens: new Map(), loans: new Map() },
  groups: []
}

/** The service tells the decimals of the token that it quotes. */
const toldOf = ({ chainId, answer }: Quoted, address: string): ReadonlyMap<string, TokenFacts> => {
  const decimals = String(at(answer, "tokenDecimals"))
  return new Map(
    /^[0-9]{1,3}$/.test(decimals) ? [[tokenKey(chainId, address), { decimals: Number(decimals) }]] : []
  )
}

const ofToken = (quoted: Quoted, token: string, value: unknown): ReadonlyArray<Piece> => {
  const { chainId, answer } = quoted
  const address = String(at(answer, token))
  if (isNative(address)) return amountPieces({ kind: "native" }, value, chainId, new Map())
  return amountPieces({ kind: "token", address }, value, chainId, toldOf(quoted, address))
}

/** In the quote's currency. */
const ofLimit = (quoted: Quoted, digits: unknown): ReadonlyArray<Piece> => {
  const { chainId, answer } = quoted
  const token = String(at(answer, "token"))
  return digitsWords({ kind: "token", member: "token" }, String(digits), {
    known: { ...NOTHING_KNOWN.known, tokens: toldOf(quoted, token) },
    groups: [{ token, currency: String(at(answer, "currency")), chainId: String(chainId) }]
  })
}

/** A part that may be unknown, told as it is. */
const known = (value: unknown, tell: (value: unknown) => ReadonlyArray<ReviewRow>, name: string) =>
  at(value, "status") === "known"
    ? tell(at(value, "value"))
    : [toned("warning", row(name, words("not known: "), untrusted(at(value, "error", "message"))))]

const payRows = (quoted: Quoted): ReadonlyArray<ReviewRow> => [
  toned("key", row("brings now", ...ofProject(quoted, "beneficiaryTokenCount"))),
  row("at least", ...ofProject(quoted, "minimumBeneficiaryTokenCount")),
  row("reserved beside it", ...ofProject(quoted, "reservedTokenCount")),
  row("through", exact(at(quoted.answer, "route")), words(" "), exact(at(quoted.answer, "terminal")))
]

const cashOutRows = (quoted: Quoted): ReadonlyArray<ReviewRow> => {
  const money = (name: string) => ofToken(quoted, "tokenToReclaim", at(quoted.answer, name))
  return [
    toned("key", row("returns now", ...money("expectedReturn"))),
    row("at least", ...money("minimumReturn")),
    row("protocol's fee", ...money("treasuryProtocolFee")),
    row("through", words(at(quoted.answer, "route") === "amm" ? "a market" : "the project's treasury"))
  ]
}

const recipient = (split: unknown): ReadonlyArray<Piece> => {
  const project = String(at(split, "projectId"))
  return project === "0" ? [exact(at(split, "beneficiary"))] : [words("project "), exact(project)]
}

const payoutRows = (quoted: Quoted): ReadonlyArray<ReviewRow> => {
  const money = (value: unknown) => ofToken(quoted, "token", value)
  const shares = (distribution: unknown) => [
    ...list(at(distribution, "splits")).map(each =>
      row("to", ...recipient(at(each, "split")), words(": "), ...money(at(each, "netAfterFee")))
    ),
    row("to the owner", ...money(at(distribution, "owner", "netAfterFee"))),
    row("fee", ...money(at(distribution, "fee")))
  ]
  return [
    toned("key", row("pays out now", ...money(at(quoted.answer, "amountPaidOut")))),
    row("at least", ...money(at(quoted.answer, "minimumTokensPaidOut"))),
    ...known(at(quoted.answer, "distribution"), shares, "who gets it"),
    ...known(
      at(quoted.answer, "payoutLimit"),
      limit => [row("limit left", ...ofLimit(quoted, at(limit, "left")))],
      "limit left"
    )
  ]
}

const CONFIGURATIONS = ["RulesetConfiguration", "RulesetMetadataConfiguration"]

/** A value of a ruleset as its form would tell it. */
const changed = (name: string, value: unknown): ReadonlyArray<Piece> => {
  if (value === null) return [words("nothing")]
  const unit = CONFIGURATIONS.map(group => memberWords(group, name).unit).find(each => each !== undefined)
  const told = /^[0-9]{1,78}$/.test(String(value)) ? digitsWords(unit, String(value), NOTHING_KNOWN) : []
  return told.length > 0 ? told : [exact(value)]
}

const LIMITS: Readonly<Record<string, string>> = {
  payoutLimits: "payout limit",
  surplusAllowances: "allowance"
}

/** `metadata.pausePay`, or a limit by its terminal, token and currency. */
const changeRow = (change: unknown): ReviewRow => {
  const [path = "", terminal, token, currency] = String(at(change, "field")).split("/")
  const name = path.split(".").at(-1) ?? ""
  const [from, to] = [at(change, "current"), at(change, "proposed")]
  if (token === undefined)
    return row(
      memberWords("RulesetConfiguration", name).label ?? labelFor(name),
      ...changed(name, from),
      words(" becomes "),
      ...changed(name, to)
    )
  const amount = (digits: unknown) =>
    digitsWords({ kind: "token", member: "token" }, String(digits ?? 0), {
      ...NOTHING_KNOWN,
      groups: [{ token, currency }]
    })
  const place = [
    words(" of the token "),
    exact(token),
    words(", in currency "),
    exact(currency),
    words(", at "),
    exact(terminal)
  ]
  return row(LIMITS[name] ?? name, ...amount(from), words(" becomes "), ...amount(to), words(","), ...place)
}

const changeRows = (changes: unknown): ReadonlyArray<ReviewRow> => list(changes).map(changeRow)

const rulesetRows = ({ answer }: Quoted): ReadonlyArray<ReviewRow> => [
  ...known(
    at(answer, "permission", "authorized"),
    may => [
      toned(
        may === true ? "good" : "danger",
        row("your wallet", words(may === true ? "may queue" : "may not queue"))
      )
    ],
    "your wallet"
  ),
  ...list(at(answer, "economicChanges")).flatMap((each, index) => [
    {
      ...row(`ruleset ${index + 1}`, words("compared with the one before it")),
      rows: [...changeRows(at(each, "changes")), ...known(at(each, "limitChanges"), changeRows, "limits")]
    }
  ]),
  ...list(at(answer, "timing", "facts")).map(fact => row("when", words(printable(String(fact)))))
]

const loanRows = (quoted: Quoted): ReadonlyArray<ReviewRow> => {
  const money = (value: unknown) => ofToken(quoted, "token", value)
  const proceeds = (value: unknown) => [
    toned("key", row("brings at least", ...money(at(value, "min")))),
    row("brings at most", ...money(at(value, "max")))
  ]
  return [
    ...known(at(quoted.answer, "liquidProceeds"), proceeds, "brings"),
    row("to repay", ...money(at(quoted.answer, "availableGrossDebt")))
  ]
}

const shopRows = (quoted: Quoted): ReadonlyArray<ReviewRow> => [
  toned(
    "key",
    row("mints NFTs", words(list(at(quoted.answer, "indicativeTokenIds")).map(String).join(", ")))
  ),
  row("credits left", exact(at(quoted.answer, "resultingNFTCredits")), words(" in the shop's smallest unit")),
  ...payRows({ ...quoted, answer: at(quoted.answer, "paymentQuote") })
]

export interface Preview {
  /** The read operation that is asked. */
  readonly operation: string
  /** Members of the input that it does not take. */
  readonly without: ReadonlyArray<string>
  readonly rows: (quoted: Quoted) => ReadonlyArray<ReviewRow>
}

const PREVIEWS: Readonly<Record<string, Preview>> = {
  prepare_pay: { operation: "quote_pay", without: [], rows: payRows },
  prepare_cash_out: { operation: "quote_cash_out", without: [], rows: cashOutRows },
  prepare_payout: { operation: "quote_payout", without: [], rows: payoutRows },
  prepare_ruleset_change: { operation: "preview_ruleset_change", without: ["memo"], rows: rulesetRows },
  prepare_borrow: { operation: "quote_loan", without: ["slippageBps"], rows: loanRows },
  prepare_721_pay: { operation: "quote_721_pay", without: [], rows: shopRows }
}

export const previewOf = (id: string): Preview | undefined =>
  Object.hasOwn(PREVIEWS, id) ? PREVIEWS[id] : undefined

export const previewRows = ({ rows }: Preview, quoted: Quoted): ReadonlyArray<ReviewRow> => [
  ...rows(quoted),
  ...warningRows(quoted.answer)
]
