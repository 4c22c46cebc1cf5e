/** The request target: built once, signed and sent as the same text. */
import { parsedUrl } from "../values/ParsedUrl.ts"
import { ClientMisuse } from "./Errors.ts"

export type QueryValue = string | number | boolean | undefined

/** URL parsing would encode an apostrophe after the signature was made. */
const encoded = (text: string): string => encodeURIComponent(text).replaceAll("'", "%27")

const queryText = (query: Readonly<Record<string, QueryValue>>): string =>
  Object.entries(query)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${encoded(name)}=${encoded(String(value))}`]))
    .join("&")

export const requestTargetOf = (
  at: string,
  path: Readonly<Record<string, string | number>> = {},
  query: Readonly<Record<string, QueryValue>> = {}
): string => {
  const filled = at.replace(/:([A-Za-z]+)/g, (_, name: string) => encoded(String(path[name] ?? "")))
  const text = queryText(query)
  return text === "" ? filled : `${filled}?${text}`
}

/** The URL to fetch; refuses a target that `fetch` would change behind the signature. */
export const urlOf = (baseUrl: string, target: string): string => {
  const url = parsedUrl(`http://service${target}`)
  if (url === undefined || `${url.pathname}${url.search}` !== target)
    throw new ClientMisuse(`Percent-encode the target ${target}: URL parsing would change it.`)
  return `${baseUrl}${target}`
}
