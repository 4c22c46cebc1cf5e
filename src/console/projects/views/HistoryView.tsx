/** What the index tells of a project's past, as pictures. */
import type { ProjectView } from "../../../projects/ProjectSchemas.ts"
import type { Observed } from "../../../values/Observed.ts"
import { type History, isWhole, lostPayouts } from "../reading/History.ts"
import { overTime } from "../series/FromHistory.ts"
import type { InForce } from "../series/Issuance.ts"
import { instantAt } from "../words/Describe.ts"
import { assetsOf } from "../words/Project.ts"
import { currencyName, type RulesetRead } from "../words/Rulesets.ts"
import type { Acquaintance } from "../words/Splits.ts"
import { OverTimeView } from "./OverTimeView.tsx"

interface HistoryViewProps {
  readonly history: History
  readonly view: Observed<ProjectView> | undefined
  readonly symbols: Acquaintance["symbols"]
  /** Undefined while something else is read. */
  readonly earlier: (() => void) | undefined
}

const foundIn = (current: RulesetRead | undefined) =>
  current?.status === "known" ? (current.value ?? undefined) : undefined

const inForceIn = (current: RulesetRead | undefined): InForce | undefined => {
  const ruleset = foundIn(current)?.ruleset
  return ruleset && { id: ruleset.id, start: Number(ruleset.start), weight: BigInt(ruleset.weight) }
}

const Followed = ({ history }: { readonly history: History }) => {
  const { followedTo } = history
  const lost = lostPayouts(history)
  return (
    <p class="muted">
      {followedTo === undefined
        ? "The index does not say how far it has followed the chain."
        : `The index has followed the chain to ${instantAt(followedTo)}; what happened since is not in the pictures.`}
      {lost > 0 && ` It leaves ${lost} payouts out.`}
    </p>
  )
}

export const HistoryView = ({ history, view, symbols, earlier }: HistoryViewProps) => {
  const told = view?.status === "known" ? view.value : undefined
  const current = told?.rulesets.current
  const time = overTime(history, inForceIn(current))
  const base = foundIn(current)?.metadata.baseCurrency
  if (time === undefined) return <p>The index has nothing of this project's past yet.</p>
  return (
    <>
      <OverTimeView
        time={time}
        assets={told === undefined ? undefined : assetsOf(told, symbols)}
        perUnit={base === undefined ? undefined : currencyName(base)}
      />
      <Followed history={history} />
      {earlier !== undefined && !isWhole(history) && (
        <p class="actions">
          <button type="button" onClick={earlier}>
            What was before
          </button>
        </p>
      )}
    </>
  )
}
