/** What the chain says of a project at one block. */
import type { ProjectView } from "../../../projects/ProjectSchemas.ts"
import type { ReviewRow } from "../../../review/Words.ts"
import type { Observed } from "../../../values/Observed.ts"
import { type Holding, holdingRows } from "../words/Positions.ts"
import { accountRows, evidenceRows, identityRows, reservedRows } from "../words/Project.ts"
import { rulesetRows } from "../words/Rulesets.ts"
import type { Acquaintance } from "../words/Splits.ts"
import { PartView } from "./PartView.tsx"
import { WordRows } from "./WordView.tsx"

const Part = ({ title, rows }: { readonly title: string; readonly rows: ReadonlyArray<ReviewRow> }) => (
  <section>
    <h2>{title}</h2>
    <WordRows rows={rows} />
  </section>
)

const supplyOf = ({ supply }: ProjectView): string | undefined => {
  const total = supply.totalIncludingPendingReserved
  return total.status === "known" ? total.value : undefined
}

interface ProjectNowProps {
  readonly view: ProjectView
  readonly known: Acquaintance
  readonly holding: Observed<Holding> | undefined
}

export const ProjectNow = ({ view, known, holding }: ProjectNowProps) => (
  <>
    <Part title="Whose it is" rows={identityRows(view, known)} />
    <Part title="What the ruleset says" rows={rulesetRows(view.rulesets, known.nowMillis)} />
    <Part title="What it holds" rows={[...accountRows(view, known), ...reservedRows(view, known)]} />
    <section>
      <h2>What your wallet holds of it</h2>
      <PartView part={holding}>{held => <WordRows rows={holdingRows(held, supplyOf(view))} />}</PartView>
    </section>
    <details class="folded">
      <summary>What this rests on</summary>
      <WordRows rows={evidenceRows(view, known.nowMillis)} />
    </details>
  </>
)
