/** Reads what a person writes to mean a project: a URL, a chain and an id, or a name. Nothing is fetched. */
import { Effect } from "effect"
import { parsedUrl } from "../../../values/ParsedUrl.ts"
import {
  AmbiguousProject,
  InvalidProjectIdentifier,
  UnsupportedProjectUrl,
  UnsupportedVersion
} from "../refusals.ts"

const HOSTS = new Set(
  ["juicebox.money", "revnet.money"].flatMap(host => [host, `www.${host}`, `dev.${host}`])
)

const SLUGS: ReadonlyMap<string, number> = new Map([
  ["eth", 1],
  ["op", 10],
  ["base", 8453],
  ["arb", 42161],
  ["sep", 11155111],
  ["opsep", 11155420],
  ["basesep", 84532],
  ["arbsep", 421614]
])

export type Meant =
  | { readonly kind: "project"; readonly chainId: number; readonly projectId: string }
  | { readonly kind: "name"; readonly name: string }

type Refused = AmbiguousProject | InvalidProjectIdentifier | UnsupportedProjectUrl | UnsupportedVersion

const LONGEST_NAME = 200
const POSITIVE = /^[1-9][0-9]{0,77}$/
const LARGEST_ID = 2n ** 256n

const chainOf = (text: string, isSupported: (chainId: number) => boolean): number | undefined => {
  const chainId = SLUGS.get(text) ?? (/^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : undefined)
  return chainId !== undefined && isSupported(chainId) ? chainId : undefined
}

const pairOf = (text: string, isSupported: (chainId: number) => boolean): Effect.Effect<Meant, Refused> => {
  const [chain = "", projectId = "", ...rest] = text.split(":")
  const chainId = chainOf(chain.toLowerCase(), isSupported)
  const isId = POSITIVE.test(projectId) && BigInt(projectId) < LARGEST_ID
  return chainId === undefined || !isId || rest.length > 0
    ? new InvalidProjectIdentifier({ context: { expected: "<chain>:<project id>" } })
    : Effect.succeed({ kind: "project", chainId, projectId })
}

const nameOf = (text: string): Effect.Effect<Meant, Refused> => {
  const name = text.replace(/^@/, "")
  return name === "" || name.length > LONGEST_NAME
    ? new InvalidProjectIdentifier({ context: { expected: `a name of 1 to ${LONGEST_NAME} characters` } })
    : Effect.succeed({ kind: "name", name })
}

const interpreted = (
  text: string,
  isSupported: (chainId: number) => boolean
): Effect.Effect<Meant, Refused> => {
  const bare = text.replace(/^v6:/i, "")
  if (bare.includes(":")) return pairOf(bare, isSupported)
  return /^[0-9]+$/.test(bare) ? new AmbiguousProject() : nameOf(bare)
}

const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** The segment that names the project. */
const segmentOf = (url: URL): Effect.Effect<string, Refused> => {
  const isPlain = url.username === "" && url.password === "" && HOSTS.has(url.host)
  if (!isPlain) return new UnsupportedProjectUrl({ context: { hosts: [...HOSTS] } })
  const [first = "", second = ""] = url.pathname.split("/").slice(1)
  if (/^v[0-9]+$/i.test(first) && first.toLowerCase() !== "v6") return new UnsupportedVersion()
  const segment = decoded(first.toLowerCase() === "v6" ? second : first)
  return segment === undefined || segment === ""
    ? new UnsupportedProjectUrl({ detail: "The URL has no project in its path." })
    : Effect.succeed(segment)
}

export const meantBy = (
  input: string,
  isSupported: (chainId: number) => boolean
): Effect.Effect<Meant, Refused> => {
  const text = input.trim()
  if (!/^https?:\/\//i.test(text)) return interpreted(text, isSupported)
  const url = parsedUrl(text)
  if (url === undefined) return new UnsupportedProjectUrl()
  return Effect.flatMap(segmentOf(url), segment => interpreted(segment, isSupported))
}
