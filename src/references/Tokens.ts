/** The words that texts are found by: lower-case runs of letters, digits and underscores, and the parts of camel case. */
const WORD = /[A-Za-z0-9_]+/g
const CAMEL = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/

interface Word {
  readonly tokens: ReadonlyArray<string>
  readonly at: number
}

const tokensOfWord = (word: string): ReadonlyArray<string> => {
  const parts = word.split(CAMEL)
  const lower = word.toLowerCase()
  return parts.length === 1 ? [lower] : [lower, ...parts.map(part => part.toLowerCase())]
}

export const wordsOf = (text: string): ReadonlyArray<Word> =>
  Array.from(text.matchAll(WORD), match => ({ tokens: tokensOfWord(match[0]), at: match.index }))

export const searchTokens = (text: string): ReadonlyArray<string> =>
  wordsOf(text).flatMap(({ tokens }) => tokens)
