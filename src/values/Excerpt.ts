/** The beginning of a text that others wrote, told back to them: what a cut leaves of a character is none. */
const LONGEST = 100

export const excerpt = (text: string, longest = LONGEST): string => text.slice(0, longest).toWellFormed()
