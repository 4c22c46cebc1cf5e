/** A project as its chain tells it, in rows: whose it is, what it holds and what may leave it. */

import type { ProjectView, Terminal, TokenAccount } from "../../../projects/ProjectSchemas.ts"
import { isNative, PROJECT_DECIMALS } from "../../../review/Amounts.ts"
import {
  exact,
  type Piece,
  quoted,
  type ReviewRow,
  row,
  toned,
  untrusted,
  words
} from "../../../review/Words.ts"
import { ownTerminals } from "../../OwnTerminals.ts"
import { type Asset, assetOf, assetPieces, tokenCount } from "./Assets.ts"
import { instantAnd } from "./Instants.ts"
import { type Acquaintance, namedAddress, splitRows } from "./Splits.ts"
import { observedPieces, unknownPieces } from "./Unknowns.ts"

const LONGEST_NAME = 80

/** Quoted, or said to be missing. */
export const foreignName = (name: string | null, none: string): Piece =>
  name === null || name === "" ? words(none) : quoted(name, LONGEST_NAME)

const tokenPieces = (token: ProjectView["token"]): ReadonlyArray<Piece> =>
  observedPieces(token, ({ address, deployed, name, symbol, decimals }) => {
    if (!deployed) return [words("none: its tokens are credits")]
    return [
      ...observedPieces(name, known => [foreignName(known, "without a name")]),
      words(", symbol "),
      ...observedPieces(symbol, known => [foreignName(known, "none")]),
      words(" at "),
      exact(address),
      ...(decimals.status === "known" && Number(decimals.value) === PROJECT_DECIMALS
        ? []
        : [words(", decimals "), ...observedPieces(decimals, known => [exact(known)])])
    ]
  })

/** Undefined where it has none, or that is not known. */
const projectSymbol = ({ token }: ProjectView): string | undefined =>
  token.status === "known" && token.value.symbol.status === "known"
    ? (token.value.symbol.value ?? undefined)
    : undefined

const controllerRow = ({ controller, canonicalController }: ProjectView): ReviewRow => {
  const pieces = observedPieces(controller, known => [exact(known)])
  if (controller.status === "unknown" || canonicalController) return row("controller", ...pieces)
  return toned("warning", row("controller", ...pieces, words(", not the protocol's own")))
}

export const identityRows = (view: ProjectView, known: Acquaintance): ReadonlyArray<ReviewRow> => {
  const { owner, metadataUri, supply } = view
  const symbol = projectSymbol(view)
  return [
    row("owner", ...observedPieces(owner, address => namedAddress(address, { ...known, owner: undefined }))),
    row("token", ...tokenPieces(view.token)),
    row("supply", ...observedPieces(supply.totalIncludingPendingReserved, all => tokenCount(all, symbol))),
    row(
      "of it reserved, not yet sent",
      ...observedPieces(supply.pendingReserved, some => tokenCount(some, symbol))
    ),
    controllerRow(view),
    row(
      "metadata",
      ...observedPieces(metadataUri, uri => [uri === "" ? words("none") : untrusted(uri)]),
      words(
        metadataUri.status === "known" && metadataUri.value !== "" ? " which this page does not fetch" : ""
      )
    )
  ]
}

/** Ids of the projects that splits name. */
export const projectsInSplits = (view: ProjectView): ReadonlyArray<string> => {
  const lists = [view.reservedTokenSplits, ...tokenAccounts(view).map(({ payoutSplits }) => payoutSplits)]
  const ids = lists
    .flatMap(list => (list.status === "known" ? list.value : []))
    .map(({ projectId }) => projectId)
  return [...new Set(ids)].filter(id => id !== "0")
}

const accountsAt = (terminals: ReadonlyArray<Terminal>): ReadonlyArray<TokenAccount> =>
  terminals.flatMap(({ contexts }) => (contexts.status === "known" ? contexts.value : []))

/** Over all terminals that could be read. */
const tokenAccounts = ({ terminals }: ProjectView): ReadonlyArray<TokenAccount> =>
  terminals.status === "unknown" ? [] : accountsAt(terminals.value)

const accountAsset = ({ token, decimals }: TokenAccount, symbols: Acquaintance["symbols"]) =>
  assetOf(token, Number(decimals), symbols.get(token.toLowerCase()))

const isWhollyKnown = ({ terminals }: ProjectView): boolean =>
  terminals.status === "known" && terminals.value.every(({ contexts }) => contexts.status === "known")

/** All the tokens that it accounts in, as the protocol's own terminal counts them; undefined where one could be missing. */
export const assetsOf = (
  view: ProjectView,
  symbols: Acquaintance["symbols"]
): ReadonlyArray<Asset> | undefined => {
  const accounts = [...tokenAccounts(view), ...accountsAt(ownTerminals(view))]
  const found = new Map(accounts.map(account => [account.token, accountAsset(account, symbols)]))
  const assets = [...found.values()].flatMap(asset => asset ?? [])
  return isWhollyKnown(view) && assets.length === found.size ? assets : undefined
}

type Limits = TokenAccount["payoutLimits"]

const limitRows = (
  title: string,
  limits: Limits,
  asset: Asset | undefined,
  { currency }: TokenAccount
): ReviewRow => {
  if (limits.status === "unknown") return row(title, ...unknownPieces(limits))
  if (limits.value.length === 0) return row(title, words("nothing"))
  const pieces = limits.value.flatMap((limit, index): ReadonlyArray<Piece> => {
    const isOwn = limit.currency === currency
    const unit = isOwn ? asset : undefined
    const show = (value: string) =>
      isOwn
        ? assetPieces(value, unit)
        : [exact(value), words(` (currency ${limit.currency}, ${limit.decimals} decimals)`)]
    const reset = limit.resetScope === "ruleset-cycle" ? " in this cycle" : " under this ruleset"
    return [
      ...(index === 0 ? [] : [words("; ")]),
      ...observedPieces(limit.remaining, show),
      words(" left of "),
      ...show(limit.configured),
      words(reset)
    ]
  })
  return row(title, ...pieces)
}

const accountName = (token: string): ReadonlyArray<Piece> =>
  isNative(token) ? [words("ether")] : [words("token "), exact(token)]

const accountRow = (account: TokenAccount, known: Acquaintance): ReviewRow => {
  const asset = accountAsset(account, known.symbols)
  return {
    ...row("accounts in", ...accountName(account.token)),
    rows: [
      row("balance", ...observedPieces(account.balance, value => assetPieces(value, asset))),
      row("surplus", ...observedPieces(account.surplus, value => assetPieces(value, asset))),
      limitRows("payouts", account.payoutLimits, asset, account),
      splitRows("payouts go to", account.payoutSplits, known),
      limitRows("allowance", account.surplusAllowances, asset, account)
    ]
  }
}

export const accountRows = (view: ProjectView, known: Acquaintance): ReadonlyArray<ReviewRow> => {
  const { terminals } = view
  if (terminals.status === "unknown") return [row("terminals", ...unknownPieces(terminals))]
  if (terminals.value.length === 0) return [row("terminals", words("none: nothing can be paid in"))]
  return terminals.value.flatMap(({ address, contexts }) => {
    const own = row("terminal", exact(address))
    if (contexts.status === "unknown") return [own, row("its accounts", ...unknownPieces(contexts))]
    if (contexts.value.length === 0) return [own, row("its accounts", words("none"))]
    return [own, ...contexts.value.map(account => accountRow(account, known))]
  })
}

export const reservedRows = ({ reservedTokenSplits }: ProjectView, known: Acquaintance) => [
  splitRows("reserved tokens go to", reservedTokenSplits, known)
]

export const evidenceRows = ({ evidence, coverage }: ProjectView, nowMillis: number) => [
  ...evidence.map(({ blockNumber, blockHash, timestamp }) =>
    row(
      "read",
      words("from the chain at block "),
      exact(blockNumber),
      words(` of ${instantAnd(timestamp, nowMillis)}, `),
      exact(blockHash)
    )
  ),
  ...coverage.unknown.map(place => toned("warning", row("not known", exact(place)))),
  ...coverage.notes.map(note => row("note", words(note)))
]
