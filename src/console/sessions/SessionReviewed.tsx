/** What the service compiled of what was asked for, read back from the bytes, and the way to prepare exactly that. */
import { useEffect, useRef } from "preact/hooks"
import { exact, row, words } from "../../review/Words.ts"
import { ChecksFound } from "../app/ChecksFound.tsx"
import { Rows } from "../app/Rows.tsx"
import type { Seat } from "../app/Seat.ts"
import { namesFor, PolicySaid } from "./PolicySaid.tsx"
import { prepareReviewed, type ReviewedSession } from "./ReviewDraft.ts"

const CHECKED =
  "The sentences above are read in this browser from the bytes that would be enabled, and those are exactly what you asked for. Preparing stores it and gives no authority: its times count from then on, and the wallet's owners enable it."

const hashRows = ({ review: { compiled, evidence } }: ReviewedSession) =>
  compiled === undefined
    ? []
    : [
        row("compiled hash", exact(compiled.compiledHash)),
        row("guard", exact(compiled.guard)),
        row("at block", exact(evidence.blockNumber), words(" "), exact(evidence.blockHash))
      ]

const Warnings = ({ warnings }: Pick<ReviewedSession["review"], "warnings">) =>
  warnings.length === 0 ? null : (
    <ul class="warned">
      {warnings.map(warning => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  )

export const SessionReviewed = ({
  seat,
  reviewed
}: {
  readonly seat: Seat
  readonly reviewed: ReviewedSession
}) => {
  const place = useRef<HTMLHeadingElement>(null)
  useEffect(() => place.current?.focus(), [reviewed])
  const { review, dangers, choice, input } = reviewed
  const { compiled, warnings } = review
  const prepare = () => seat.run("Preparing the session…", () => prepareReviewed(seat, reviewed))
  return (
    <section class="plan">
      <h2 tabindex={-1} ref={place}>
        What the key could do
      </h2>
      {compiled === undefined ? undefined : (
        <PolicySaid encoded={compiled.encodedPolicy} names={namesFor(choice.manifest, input)} />
      )}
      <Warnings warnings={warnings} />
      <ChecksFound
        dangers={dangers}
        fine="The bytes say what you asked for"
        checked={CHECKED}
        bad="Danger: the bytes say something else than you asked for"
      />
      <Rows rows={hashRows(reviewed)} />
      {dangers.length > 0 ? undefined : (
        <div class="actions">
          <button type="button" class="primary" onClick={prepare}>
            Prepare the session
          </button>
        </div>
      )}
    </section>
  )
}
