/** Targets and headers that are much work, each as long as a request may have them. */
const TARGET_CHARACTERS = 4_000
const HEADER_BYTES = 30_000

type Headers = ReadonlyArray<readonly [name: string, value: string]>

export interface Head {
  readonly kind: string
  readonly target: string
  readonly headers: Headers
}

const long = (piece: string, length: number): string =>
  piece.repeat(Math.max(0, Math.floor(length / piece.length)))

const rest = (target: string): number => TARGET_CHARACTERS - target.length

const VALUES: Readonly<Record<string, string>> = {
  letters: "a",
  digits: "9",
  escapes: "%41",
  brackets: "[",
  list: "0,",
  objects: "{%22a%22:",
  stars: "(a*)*",
  hex: "0xffff"
}

/** Beside a parameter that is a bomb, so that it is looked at. */
const ORDINARY: Readonly<Record<string, string>> = { network: "mainnet", chainId: "31337", projectId: "1" }

const paths: Readonly<Record<string, (path: string) => string>> = {
  "long segment": path => `${path}/${long("a", rest(path) - 1)}`,
  "many segments": path => path + long("/a", rest(path)),
  slashes: path => path + long("/", rest(path)),
  dots: path => path + long("/..", rest(path)),
  "escaped segment": path => `${path}/${long("%61", rest(path) - 1)}`,
  "many parameters": path => `${path}?${long("a=1&", rest(path) - 1)}`,
  "only marks": path => path + long("?", rest(path))
}

const headers: Readonly<Record<string, Headers>> = {
  "many headers": Array.from({ length: 2_500 }, (_, index) => [`f${index}`, ""]),
  "one header often": Array.from({ length: 2_500 }, () => ["x-a", ""]),
  "long header": [["x-a", long("a", HEADER_BYTES)]],
  encodings: [["accept-encoding", long("br;q=0,", HEADER_BYTES)]],
  tags: [["if-none-match", long('"a",', HEADER_BYTES)]],
  "no encodings": [["accept-encoding", long(",", HEADER_BYTES)]],
  "no tags": [["if-none-match", long(",", HEADER_BYTES)]],
  "long type": [["content-type", `application/json${long(" ", HEADER_BYTES)}x`]],
  cookies: [["cookie", long("a=b; ", HEADER_BYTES)]],
  addresses: [["x-forwarded-for", long("1.1.1.1,", HEADER_BYTES)]],
  "no addresses": [["x-forwarded-for", long(",", HEADER_BYTES)]],
  trace: [["traceparent", long("00-", HEADER_BYTES)]],
  "long account": [["x-service-account", `eip155:${long("1", HEADER_BYTES)}`]],
  "long signature": [["x-service-signature", `0x${long("ab", 16_384)}`]],
  "long key": [["idempotency-key", long("k", HEADER_BYTES)]],
  "long host": [["host", long("a.", HEADER_BYTES)]],
  "long length": [["content-length", `${long("0", HEADER_BYTES)}1`]]
}

const kindsOf = <A>(kinds: Readonly<Record<string, A>>, head: (kind: string, value: A) => Head) =>
  Object.entries(kinds).map(([kind, value]) => head(kind, value))

/** Of one path and the parameters that its route takes. */
export const bombHeads = (path: string, queryNames: ReadonlyArray<string>): ReadonlyArray<Head> => [
  ...kindsOf(paths, (kind, of) => ({ kind, target: of(path), headers: [] })),
  ...queryNames.flatMap(name =>
    kindsOf(VALUES, (kind, piece) => {
      const others = queryNames.filter(other => other !== name && other in ORDINARY)
      const start = `${path}?${others.map(other => `${other}=${ORDINARY[other]}&`).join("")}${name}=`
      return { kind: `${kind} in ${name}`, target: start + long(piece, rest(start)), headers: [] }
    })
  ),
  ...kindsOf(headers, (kind, given) => ({ kind, target: path, headers: given }))
]
