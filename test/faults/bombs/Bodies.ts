/** Small texts that are much work: each kind beyond what JSON may be here, and just within it. */
const NODES = 29_990
const DEPTH = 31

const times = (count: number, each: (index: number) => string): string =>
  Array.from({ length: Math.max(0, count) }, (_, index) => each(index)).join(",")

/** As many as fit these bytes, and no more than may be. */
const fitting = (bytes: number, each: number, most = NODES): number =>
  Math.min(most, Math.floor(bytes / each))

const nested = (depth: number, inner: string): string => "[".repeat(depth) + inner + "]".repeat(depth)

const objects = (depth: number, inner: string): string => '{"a":'.repeat(depth) + inner + "}".repeat(depth)

const long = (piece: string, bytes: number): string =>
  piece.repeat(Math.max(0, Math.floor(bytes / piece.length)))

const keyOf = (index: number): string => `k${String(index).padStart(6, "0")}`

type Kind = (bytes: number) => string

const kinds: Readonly<Record<string, Kind>> = {
  wide: bytes => `[${times(Math.floor(bytes / 2) - 2, () => "0")}]`,
  "wide within": bytes => `[${times(fitting(bytes - 4, 2), () => "0")}]`,
  deep: bytes => nested(Math.floor(bytes / 2), ""),
  "deep and open": bytes => "[".repeat(bytes),
  "deep objects": bytes => objects(Math.floor(bytes / 6) - 1, "0"),
  "wide and deep": bytes =>
    nested(
      Math.floor(bytes / 30),
      times((bytes - bytes / 15) / 2 - 2, () => "1")
    ),
  "wide and deep within": bytes =>
    nested(
      DEPTH,
      times(fitting(bytes - 2 * DEPTH, 2), () => "1")
    ),
  "many objects": bytes => `[${times(fitting(bytes - 2, 16, NODES / 2), index => `{"${keyOf(index)}":0}`)}]`,
  "long key": bytes => `{"${long("k", bytes - 8)}":0}`,
  "long escaped key": bytes => `{"${long("\\u006b", bytes - 8)}":0}`,
  "many keys": bytes => `{${times(fitting(bytes - 2, 12, 1e6), index => `"${keyOf(index)}":0`)}}`,
  "many keys within": bytes => `{${times(fitting(bytes - 2, 12), index => `"${keyOf(index)}":0`)}}`,
  "many escaped keys": bytes => `{${times(fitting(bytes - 2, 18), index => `"\\u006b${keyOf(index)}":0`)}}`,
  "many keys deep within": bytes =>
    objects(DEPTH - 1, `{${times(fitting(bytes - 6 * DEPTH, 12), index => `"${keyOf(index)}":0`)}}`),
  "long number": bytes => `[${long("9", bytes - 2)}]`,
  "long fraction": bytes => `[0.${long("3", bytes - 4)}]`,
  "long exponent": bytes => `[1e${long("9", bytes - 4)}]`,
  "many fractions": bytes =>
    `[${times(fitting(bytes - 2, 30), index => `0.${keyOf(index).slice(1).padEnd(27, "3")}`)}]`,
  escapes: bytes => `["${long("\\n", bytes - 4)}"]`,
  "unicode escapes": bytes => `["${long("\\u0001", bytes - 4)}"]`,
  "pairs of escapes": bytes => `["${long("\\ud83d\\ude00", bytes - 4)}"]`,
  "quotation marks": bytes => `["${long('\\"', bytes - 4)}"]`,
  "open string": bytes => `["${long("\\n", bytes - 2)}`,
  spaces: bytes => `[${long(" ", bytes - 2)}]`,
  letters: bytes => `["${long("字", Math.floor((bytes - 4) / 3))}"]`,
  zeros: bytes => long("\0", bytes)
}

export interface BombBody {
  readonly kind: string
  readonly text: string
}

/** One of each kind, none longer in UTF-8 than these bytes. */
export const bombBodies = (bytes: number): ReadonlyArray<BombBody> =>
  Object.entries(kinds).map(([kind, of]) => ({ kind, text: of(bytes) }))
