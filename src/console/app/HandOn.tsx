/** Buttons by which texts leave the page, and what is to be said once they did. */
import { useState } from "preact/hooks"
import { copyText, keepFile } from "../KeptText.ts"

export interface WayOut {
  readonly label: string
  readonly text: string
  /** Of the file that keeps it; without one it is copied. */
  readonly file?: string
  readonly isPrimary?: boolean
}

export const HandOn = ({ ways }: { readonly ways: ReadonlyArray<WayOut> }) => {
  const [told, setTold] = useState("")
  return (
    <div class="actions">
      {ways.map(({ label, text, file, isPrimary = false }) => (
        <button
          key={label}
          type="button"
          class={isPrimary ? "primary" : "plain"}
          onClick={() => (file === undefined ? copyText(text).then(setTold) : keepFile(file, text))}
        >
          {label}
        </button>
      ))}
      <span role="status" class="done">
        {told}
      </span>
    </div>
  )
}
