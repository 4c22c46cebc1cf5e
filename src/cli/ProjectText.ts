/** A project in words and tables; what is unknown says why. */
import type { ProjectAnswer } from "../projects/ProjectSchemas.ts"
import type { Observed } from "../values/Observed.ts"
import { facts, indented, textTable } from "./Table.ts"

type Onchain = Extract<ProjectAnswer, { readonly source: "onchain" }>["onchain"]
type Indexed = Extract<ProjectAnswer, { readonly source: "indexer" }>
type Terminal = Extract<Onchain["terminals"], { readonly status: "known" }>["value"][number]
type Account = Extract<Terminal["contexts"], { readonly status: "known" }>["value"][number]

const told = <A>(value: Observed<A>, show: (known: A) => string = String): string =>
  value.status === "known" ? show(value.value) : `unknown (${value.error.code})`

/** Exact digits, with the point where the decimals put it. */
const inUnits = (amount: string, decimals: string): string => {
  const places = Number(decimals)
  if (places === 0 || !Number.isSafeInteger(places) || places > 77) return amount
  const digits = amount.padStart(places + 1, "0")
  const fraction = digits.slice(-places).replace(/0+$/, "")
  return fraction === "" ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`
}

const limitsText = (limits: Account["payoutLimits"]): string =>
  told(limits, items =>
    items.length === 0
      ? "none"
      : items
          .map(({ configured, currency, decimals, remaining }) => {
            const left = told(remaining, amount => inUnits(amount, decimals))
            return `${left} of ${inUnits(configured, decimals)} in currency ${currency}`
          })
          .join("; ")
  )

const accountRow = (account: Account): ReadonlyArray<string> => [
  account.token,
  told(account.balance, amount => inUnits(amount, account.decimals)),
  told(account.surplus, amount => inUnits(amount, account.decimals)),
  limitsText(account.payoutLimits),
  limitsText(account.surplusAllowances),
  told(account.payoutSplits, splits => String(splits.length))
]

const HEADS = ["token", "balance", "surplus", "left to pay out", "left of the allowance", "splits"]

const terminalText = ({ address, contexts }: Terminal): string =>
  `terminal ${address}\n${indented(
    told(contexts, accounts =>
      accounts.length === 0 ? "no accounts" : textTable(HEADS, accounts.map(accountRow))
    )
  )}`

const percent = (ofTenThousand: string): string => `${Number(ofTenThousand) / 100} %`

const rulesetText = (ruleset: Onchain["rulesets"]["current"]): string =>
  told(ruleset, found => {
    if (found === null) return "none"
    const { cycleNumber, id, weight } = found.ruleset
    const { cashOutTaxRate, reservedPercent } = found.metadata
    return `${id}, cycle ${cycleNumber}, weight ${inUnits(weight, "18")}, reserved ${percent(reservedPercent)}, cash-out tax ${percent(cashOutTaxRate)}`
  })

const tokenText = (token: Onchain["token"]): string =>
  told(token, ({ address, deployed, symbol }) =>
    deployed ? `${told(symbol, text => JSON.stringify(text))} at ${address}` : "credits only"
  )

export const onchainText = (view: Onchain): string => {
  const { coverage, evidence, project, rulesets, supply } = view
  const blocks = evidence.map(({ blockHash, blockNumber }) => `${blockNumber} ${blockHash}`)
  const summary = facts([
    ["project", `${project.projectId} on chain ${project.chainId}`],
    ["block", blocks.join(", ")],
    ["owner", told(view.owner)],
    ["controller", `${told(view.controller)}${view.canonicalController ? "" : " (not the canonical one)"}`],
    ["metadata", told(view.metadataUri, JSON.stringify)],
    ["token", tokenText(view.token)],
    ["supply", told(supply.totalIncludingPendingReserved, amount => inUnits(amount, "18"))],
    ["to be reserved", told(supply.pendingReserved, amount => inUnits(amount, "18"))],
    ["ruleset", rulesetText(rulesets.current)],
    ["next", rulesetText(rulesets.upcoming)]
  ])
  const terminals = told(view.terminals, items => items.map(terminalText).join("\n") || "no terminals")
  const gaps = coverage.unknown.map(place => `unknown: ${place}`)
  return [summary, terminals, ...gaps].join("\n\n")
}

export const indexedText = ({ indexed, degraded = [], indexedSemantics }: Indexed): string => {
  const row = told(indexed, found => {
    if (found === null) return "The source has no such project."
    return facts(
      Object.entries(found).map(
        ([name, value]) => [name, value === null ? "none" : JSON.stringify(value)] as const
      )
    )
  })
  const cut = degraded.map(({ field = "row", error }) => `${field}: ${error.message}`)
  return [row, ...cut, facts(Object.entries(indexedSemantics))].join("\n\n")
}
