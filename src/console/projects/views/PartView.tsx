/** A part of a page: what it has, or why it has nothing. */
import type { ComponentChildren } from "preact"
import type { Observed } from "../../../values/Observed.ts"
import { Pieces } from "../../app/Pieces.tsx"
import { unknownPieces } from "../words/Unknowns.ts"

interface PartViewProps<A> {
  /** Undefined until it was asked for. */
  readonly part: Observed<A> | undefined
  readonly children: (value: A) => ComponentChildren
}

export const PartView = <A,>({ part, children }: PartViewProps<A>) => {
  if (part === undefined) return <p class="muted">Not read yet.</p>
  if (part.status === "known") return <>{children(part.value)}</>
  const isAbsent = part.error.code === "INDEXER_NOT_CONFIGURED"
  return (
    <p class="lacking">
      {isAbsent ? "This service asks no index of this network, so this part stays empty. " : ""}
      <Pieces pieces={unknownPieces(part)} />
    </p>
  )
}

interface MoreViewProps {
  readonly cursor: string | null
  readonly what: string
  readonly more: () => void
}

export const MoreView = ({ cursor, what, more }: MoreViewProps) =>
  cursor === null ? null : (
    <p class="actions">
      <button type="button" onClick={more}>{`More ${what}`}</button>
    </p>
  )

/** Of rows that the source holds in a shape that the service does not pass on. */
export const LostView = ({ lost }: { readonly lost: number }) =>
  lost === 0 ? null : <p class="lacking">{`${lost} more could not be shown as the index gives them.`}</p>
