/** Rows of a review, times and hashes as components. */
import { h } from "preact"
import { useState } from "preact/hooks"
import { instantText } from "../../../review/Times.ts"
import type { ReviewRow } from "../../../review/Words.ts"
import { Pieces } from "../../app/Pieces.tsx"
import { localInstant } from "../words/Instants.ts"

const WordRow = ({
  told: { name, value, tone, rows = [], folded = false }
}: {
  readonly told: ReviewRow
}) => (
  <div class={`row ${tone ?? ""} ${rows.length > 0 ? "group" : ""}`}>
    <dt>{name}</dt>
    <dd>
      <Pieces pieces={value} />
      {rows.length > 0 && !folded && <WordRows rows={rows} kind="inner" />}
      {rows.length > 0 && folded && (
        <details class="folded">
          <summary>Show</summary>
          <WordRows rows={rows} kind="inner" />
        </details>
      )}
    </dd>
  </div>
)

interface WordRowsProps {
  readonly rows: ReadonlyArray<ReviewRow>
  readonly kind?: string
}

export const WordRows = ({ rows, kind = "rows" }: WordRowsProps) =>
  h("dl", { class: kind }, ...rows.map(told => h(WordRow, { told })))

/** As the person's clock shows it; the title has the instant in UTC. */
export const LocalTime = ({ seconds }: { readonly seconds: number }) => {
  const exactly = instantText(seconds * 1000)
  return (
    <time dateTime={exactly} title={exactly}>
      {localInstant(seconds)}
    </time>
  )
}

const shortened = (hash: string): string =>
  hash.length > 20 ? `${hash.slice(0, 10)}…${hash.slice(-6)}` : hash

/** Short to read, whole to copy. */
export const HashView = ({ name, hash }: { readonly name: string; readonly hash: string }) => {
  const [said, say] = useState("")
  const copy = () =>
    navigator.clipboard.writeText(hash).then(
      () => say("Copied"),
      () => say("The browser does not let this page copy")
    )
  return (
    <span class="hash">
      {name} <code title={hash}>{shortened(hash)}</code>{" "}
      <button type="button" class="copy" aria-label={`Copy the ${name} ${hash}`} onClick={copy}>
        Copy
      </button>
      <span role="status" class="done">
        {said}
      </span>
    </span>
  )
}
