/** The bounds of questions to the indexed source and of its answers; the catalog publishes them. */
export const LIMITS = {
  maxRows: 50,
  defaultRows: 20,
  maxFields: 48,
  maxSelectionNodes: 96,
  maxRelationDepth: 2,
  maxFilterDepth: 3,
  maxFilterNodes: 40,
  maxFilterArray: 20,
  maxStringBytes: 32_768,
  maxInputString: 2_048,
  maxCursorBytes: 4_096,
  maxResponseBytes: 2_097_152,
  maxJsonDepth: 12,
  maxJsonNodes: 16_384,
  maxScalarArray: 256,
  timeoutMs: 15_000
} as const

export const PROTOCOL_VERSION = 6
export const MAX_INT32 = 2_147_483_647
const MIN_INT32 = -2_147_483_648

export const isInt32 = (value: number): boolean =>
  Number.isInteger(value) && value >= MIN_INT32 && value <= MAX_INT32

const bytes = new TextEncoder()

/** Text that the source can take as it is: bounded, without NUL and without lone surrogates. */
export const isPlainText = (text: string, limit: number): boolean =>
  text.length <= limit &&
  bytes.encode(text).length <= limit &&
  !text.includes("\u0000") &&
  text.isWellFormed()
