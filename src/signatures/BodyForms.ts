/** The other texts that a client may have signed in place of a JSON body. */
import { canonicalJson } from "../values/CanonicalJson.ts"
import { exceeds } from "../values/JsonBounds.ts"

/** Anybody makes us write these forms: indented, each value is longer by 64 characters and a line end at most. */
const MAXIMUM_BYTES = 16_384
const BOUNDS = { depth: 32, nodes: 500 }

const parsed = (text: string): unknown => JSON.parse(text)

/** The same JSON written another way: compact, with sorted keys, indented; nothing of a body that is too large to be written anew. */
export const bodyForms = (body: Uint8Array): ReadonlyArray<string> => {
  if (body.length === 0 || body.length > MAXIMUM_BYTES) return []
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body)
    if (exceeds(text, BOUNDS)) return []
    const value = parsed(text)
    const forms = [JSON.stringify(value), canonicalJson(value), JSON.stringify(value, null, 2)]
    return [...new Set(forms)].filter(form => form !== text)
  } catch {
    return []
  }
}
