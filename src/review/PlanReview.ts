/** A whole plan for a person: what it does, what it rests on, and whether it is what it commits to. */
import { isRecord } from "effect/Predicate"
import type { Plan, Step } from "../plans/Plan.ts"
import { printable } from "../values/UntrustedText.ts"
import type { Tokens } from "./Amounts.ts"
import type { NamedToken } from "./ArgumentRows.ts"
import { type CallReview, reviewCall, spenderKey } from "./CallReview.ts"
import { type Contracts, type ExplainedCall, explainCall } from "./ExplainCall.ts"
import { isUntold } from "./Restored.ts"
import { contractNamesIn, planSentence, projectTokensIn } from "./Sentence.ts"
import type { Telling } from "./sentences/Speech.ts"
import { distanceText, instantText } from "./Times.ts"
import { exact, nameText, type Piece, type ReviewRow, row, toned, words } from "./Words.ts"

export interface PlanFacts {
  /** The id that was asked for. */
  readonly asked: string
  /** The commitment under which the person saw the plan before, if at all. */
  readonly shownBefore?: string | undefined
  /** The principal for whom the commitment, computed here, is the one shown; undefined where there is none. */
  readonly committedFor: string | undefined
  /** Who reads, where that is not the owner. */
  readonly reader?: string | undefined
  readonly contracts: Contracts
  readonly chains: ReadonlyMap<number, string>
  readonly tokens: Tokens
  readonly clones: ReadonlyMap<string, boolean>
  /** Unix milliseconds on the service's clock. */
  readonly now: number
}

export interface PlanReview {
  /** What signing all of it would do. */
  readonly sentence: ReadonlyArray<Piece>
  /** Empty where everything fits; otherwise nothing of the plan may be signed. */
  readonly dangers: ReadonlyArray<string>
  /** Where the plan stands and what to beware of. */
  readonly state: ReadonlyArray<ReviewRow>
  /** What it rests on. */
  readonly rows: ReadonlyArray<ReviewRow>
  readonly calls: ReadonlyArray<CallReview>
  readonly tokens: Tokens
  /** Of the projects that it names, the tokens that were not looked up. */
  readonly unnamed: ReadonlyArray<NamedToken>
}

export const chainText = (chains: PlanFacts["chains"], chainId: number): string => {
  const name = chains.get(chainId)
  return name === undefined ? `chain ${Number(chainId)}` : `${nameText(name)} (chain ${Number(chainId)})`
}

const commitmentRow = ({ commitment }: Plan, { committedFor }: PlanFacts): ReviewRow =>
  committedFor === undefined
    ? toned("danger", row("commitment", exact(commitment), words(": DOES NOT MATCH THIS PLAN; sign nothing")))
    : toned("good", row("commitment", exact(commitment), words(": checked, for "), exact(committedFor)))

const preparedBy = ({ committedFor, reader }: PlanFacts): ReadonlyArray<ReviewRow> => {
  if (committedFor === undefined) return []
  if (committedFor === reader)
    return [
      row("prepared by", words("this tab, in which the owner is signed in ("), exact(reader), words(")"))
    ]
  const isBot = committedFor.startsWith("bot:")
  return [
    isBot
      ? row(
          "prepared by",
          words("a bot: the owner may read and approve it, not send it ("),
          exact(committedFor),
          words(")")
        )
      : row("prepared by", words("the owner"))
  ]
}

/** What a known observation holds. */
const observed = (value: unknown): unknown =>
  isRecord(value) && value.status === "known" ? value.value : value

const partsOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> | undefined => {
  if (Array.isArray(value)) return value.map((item, index) => [`[${index}]`, item])
  return isRecord(value) ? Object.entries(value).map(([name, part]) => [`.${name}`, part]) : undefined
}

/** A row for each value, however deep it stands, under the path that leads to it. */
const summaryRows = (path: string, member: unknown): ReadonlyArray<ReviewRow> => {
  const value = observed(member)
  const parts = partsOf(value)
  const name = nameText(path)
  if (value === null || parts?.length === 0) return [row(name, words("none"))]
  return parts === undefined
    ? [row(name, exact(value))]
    : parts.flatMap(([step, part]) => summaryRows(path + step, part))
}

const restoredRow = (restoredAt: number, untold: ReadonlyArray<Step>): ReviewRow =>
  toned(
    "warning",
    row(
      "restored",
      words(
        `${instantText(restoredAt)}, the service, from a backup: step ${untold.map(({ index }) => index).join(", ")} may have left before; look at the wallet's own transactions first`
      )
    )
  )

const expiryRow = (plan: Plan, now: number): ReviewRow => {
  const { expiresAt, status, steps, restoredAt } = plan
  const untold = steps.filter(step => isUntold(plan, step))
  if (restoredAt !== undefined && untold.length > 0) return restoredRow(restoredAt, untold)
  if (status === "transactions_confirmed") return row("admitted until", words(instantText(expiresAt)))
  const at = `${instantText(expiresAt)}, ${distanceText(expiresAt, now)}`
  return expiresAt > now
    ? row("admits until", words(at))
    : toned(
        "warning",
        row(
          "admits until",
          words(`${at}: expired, nothing new is admitted; what was admitted may be sent again`)
        )
      )
}

const evidenceRows = ({ evidence }: Plan, { chains, now }: PlanFacts): ReadonlyArray<ReviewRow> =>
  evidence.map(({ chainId, blockNumber, blockHash, timestamp }) => {
    const millis = Number(timestamp) * 1000
    return row(
      "evidence",
      words(`${chainText(chains, chainId)} block `),
      exact(blockNumber),
      words(" "),
      exact(blockHash),
      words(` of ${instantText(millis)}, ${distanceText(millis, now)}`)
    )
  })

const projectRows = ({ project }: Plan, { chains }: PlanFacts): ReadonlyArray<ReviewRow> =>
  project === undefined
    ? []
    : [row("project", exact(project.projectId), words(` on ${chainText(chains, project.chainId)}`))]

const fitsSteps = ({ steps, calls }: Plan): boolean =>
  steps.length === calls.length && steps.every(({ index }, position) => index === position)

const fitsWallet = ({ account, smartAccount, calls }: Plan): boolean =>
  smartAccount === undefined ||
  (smartAccount.address === account && calls.every(({ chainId }) => chainId === smartAccount.chainId))

const dangersOf = (plan: Plan, facts: PlanFacts, calls: ReadonlyArray<CallReview>): ReadonlyArray<string> => [
  ...(plan.id === facts.asked ? [] : ["the service answered with another plan than the one asked for"]),
  ...(facts.committedFor === undefined ? ["the commitment does not match this plan"] : []),
  ...((facts.shownBefore ?? plan.commitment) === plan.commitment
    ? []
    : ["the plan is another one than this page showed before"]),
  ...(fitsSteps(plan) ? [] : ["the plan's steps do not fit its calls"]),
  ...(fitsWallet(plan) ? [] : ["the plan's calls are not those of its smart account"]),
  ...calls.flatMap(call => call.dangers.map(danger => `step ${call.index}: ${danger}`))
]

export const spendersIn = (calls: ReadonlyArray<ExplainedCall>): ReadonlySet<string> =>
  new Set(
    calls
      .filter(({ instance }) => instance !== undefined)
      .map(({ call: { chainId, to } }) => spenderKey(chainId, to))
  )

const NOT_WHAT_IT_SEEMS = [words("This plan is not what it seems: sign nothing of it.")]

export const reviewPlan = (plan: Plan, facts: PlanFacts): PlanReview => {
  const explained = plan.calls.map(call => explainCall(facts.contracts, call))
  const spenders = spendersIn(explained)
  const { tokens, clones } = facts
  const self: Telling["self"] = plan.smartAccount === undefined ? "you" : "it"
  const told = { wallet: plan.account, self, tokens, clones, names: contractNamesIn(explained) }
  const calls = explained.map((each, index) =>
    reviewCall(each, { ...told, index, chain: chainText(facts.chains, each.call.chainId), spenders })
  )
  const dangers = dangersOf(plan, facts, calls)
  return {
    sentence: dangers.length > 0 ? NOT_WHAT_IT_SEEMS : planSentence(explained, told),
    dangers,
    calls,
    tokens,
    unnamed: projectTokensIn(explained).filter(({ key }) => !tokens.has(key)),
    state: [
      row("status", exact(plan.status)),
      ...projectRows(plan, facts),
      ...preparedBy(facts),
      expiryRow(plan, facts.now),
      ...plan.warnings.map(warning => toned("warning", row("warning", words(printable(warning)))))
    ],
    rows: [
      row("plan", exact(plan.id)),
      row("operation", exact(plan.operation)),
      row("wallet", exact(plan.account)),
      ...(plan.smartAccount === undefined ? [] : [row("bound as", exact(plan.smartAccount.bindingId))]),
      commitmentRow(plan, facts),
      row("prepared", words(`${instantText(plan.createdAt)}, ${distanceText(plan.createdAt, facts.now)}`)),
      ...evidenceRows(plan, facts),
      ...summaryRows("summary", plan.summary)
    ]
  }
}
