/** The ruleset in force, as it would be queued anew. */
import type { ProjectView } from "../../../projects/ProjectSchemas.ts"
import type { Observed } from "../../../values/Observed.ts"

type TokenAccount = Extract<
  Extract<ProjectView["terminals"], { readonly status: "known" }>["value"][number]["contexts"],
  { readonly status: "known" }
>["value"][number]

const RESERVED_GROUP = "1"

/** Thrown within this file alone: a part that is not known would be queued as none. */
class NotKnown extends Error {}

const whatIs = <A>(part: Observed<A>): A => {
  if (part.status === "known") return part.value
  throw new NotKnown()
}

type Splits = Extract<ProjectView["reservedTokenSplits"], { readonly status: "known" }>["value"]

const groupOf = (groupId: string, splits: Splits) =>
  splits.length === 0
    ? []
    : [{ groupId, splits: splits.map(({ percent, ...rest }) => ({ ...rest, percent: Number(percent) })) }]

const amountsOf = (limits: TokenAccount["payoutLimits"]) =>
  whatIs(limits)
    .map(({ configured, currency }) => ({ amount: configured, currency: Number(currency) }))
    .sort((one, other) => one.currency - other.currency)

const limitsOf = (terminal: string, account: TokenAccount) => {
  const payoutLimits = amountsOf(account.payoutLimits)
  const surplusAllowances = amountsOf(account.surplusAllowances)
  return payoutLimits.length + surplusAllowances.length === 0
    ? []
    : [{ terminal, token: account.token, payoutLimits, surplusAllowances }]
}

const configurationOf = ({ rulesets, terminals, reservedTokenSplits }: ProjectView) => {
  const current = whatIs(rulesets.current)
  if (current === null) return undefined
  const { ruleset, metadata } = current
  const accounts = whatIs(terminals).flatMap(({ address, contexts }) =>
    whatIs(contexts).map(account => ({ address, account }))
  )
  const paid = new Map(accounts.map(({ account }) => [account.token, account.payoutSplits]))
  return {
    mustStartAtOrAfter: "0",
    duration: Number(ruleset.duration),
    weight: ruleset.weight,
    weightCutPercent: Number(ruleset.weightCutPercent),
    approvalHook: ruleset.approvalHook,
    metadata: {
      ...metadata,
      reservedPercent: Number(metadata.reservedPercent),
      cashOutTaxRate: Number(metadata.cashOutTaxRate),
      baseCurrency: Number(metadata.baseCurrency),
      metadata: Number(metadata.metadata)
    },
    splitGroups: [
      ...groupOf(RESERVED_GROUP, whatIs(reservedTokenSplits)),
      ...[...paid].flatMap(([token, splits]) => groupOf(String(BigInt(token)), whatIs(splits)))
    ],
    fundAccessLimitGroups: accounts.flatMap(({ address, account }) => limitsOf(address, account))
  }
}

/** Undefined where there is none, or a part of it is not known. */
export const rulesetInForce = (view: ProjectView): ReturnType<typeof configurationOf> => {
  try {
    return configurationOf(view)
  } catch (failure) {
    if (failure instanceof NotKnown) return undefined
    throw failure
  }
}
