/** What meanings of signed requests are made of. */
export interface Meaning {
  readonly title: string
  readonly intro: string
}

const READS = "Nothing is moved and nothing is approved by this signature: it only lets the service answer."
const MOVES_NOTHING = "Nothing is sent to a chain by this signature."

export const reads = (title: string) => (): Meaning => ({ title, intro: READS })

export const changes = (title: string, words: string) => (): Meaning => ({
  title,
  intro: `${words} ${MOVES_NOTHING}`
})

type Of = (found: ReadonlyArray<string>) => Meaning

export type Meanings = ReadonlyArray<readonly [RegExp, Of]>
