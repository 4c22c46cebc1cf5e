/** What the parts of a form are given, and how they find one another on the page. */
import type { ComponentChildren } from "preact"
import type { Draft } from "../fields/Draft.ts"
import type { FieldPath, InputField } from "../fields/InputField.ts"
import type { Surroundings } from "../fields/Surroundings.ts"

/** What the form does for its parts. */
export interface FormHands {
  readonly change: (path: FieldPath, next: Draft) => void
  /** What is wrong, by the element's id. */
  readonly wrong: ReadonlyMap<string, string>
  /** Asks the service for the symbol and the decimals of a token. */
  readonly lookUp: (address: string) => void
  /** Fills in the address of the chain's multi terminal, as the service proves it. */
  readonly fillTerminal: (path: FieldPath) => void
  /** What can be told of the project, beside where it is named. */
  readonly aboutProject?: ComponentChildren
  readonly aboutLoan?: ComponentChildren
  /** Once the page shows the change: the first of these that is there. */
  readonly focusNext: (...ids: ReadonlyArray<string>) => void
}

export interface PartProps {
  readonly field: InputField
  readonly draft: Draft
  readonly path: FieldPath
  readonly around: Surroundings
  readonly hands: FormHands
}

export const idAt = (path: FieldPath): string => ["at", ...path].join("-")

const CONTROLS = "input, select, textarea"

/** Folded parts around it are opened; of a part that is no control, its first one is taken. */
export const focusOn = (id: string, within = false): boolean => {
  const found = document.getElementById(id)
  if (found === null) return false
  for (
    let around = found.closest("details");
    around !== null;
    around = around.parentElement?.closest("details") ?? null
  )
    around.open = true
  const target = within ? (found.querySelector<HTMLElement>(CONTROLS) ?? found) : found
  target.focus()
  target.scrollIntoView({ block: "center" })
  return true
}
