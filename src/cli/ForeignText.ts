/** Text that others wrote, on a terminal: nothing of it moves the cursor, breaks the line or hides what stands beside it. */
import { visible } from "../values/UntrustedText.ts"

/** As it is where every character of it shows; quoted, with the others in their escaped form, where not. */
export const foreign = (text: string, longest = Number.POSITIVE_INFINITY): string => {
  const shown = visible(text, longest)
  const cut = shown.more > 0 ? "…" : ""
  return text.startsWith(shown.text) ? `${shown.text}${cut}` : `"${shown.text}${cut}"`
}
