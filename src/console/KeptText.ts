/** Ways for a text to leave the page: by the clipboard, or as a file. */
import { el } from "./Elements.ts"

/** What is to be said of it. */
export const copyText = (text: string): Promise<string> =>
  navigator.clipboard.writeText(text).then(
    () => "Copied.",
    () => "The browser did not allow it: select the text and copy it."
  )

export const keepFile = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }))
  el("a", { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}
