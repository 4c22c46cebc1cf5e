/** What the escapes of a JSON text stand for that no database takes apart; a backslash that stands for itself escapes nothing. */
const NUL = "\\u0000"
const HALF_A_CHARACTER = /\\ud[89a-f]/

const escapesIn = (json: string): string => json.replaceAll("\\\\", "")

export const hasNul = (json: string): boolean => escapesIn(json).includes(NUL)

/** As `JSON.stringify` writes half of a surrogate pair. */
export const hasHalfCharacter = (json: string): boolean => HALF_A_CHARACTER.test(escapesIn(json))
