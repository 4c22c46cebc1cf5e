/** Finds documents by words: how many of the query's are there, where, how often, and whether the very phrase is. */
import { textPage } from "./Pages.ts"
import type { Category, ReferenceDocument, ReferenceMetadata } from "./Reference.ts"
import { searchTokens, wordsOf } from "./Tokens.ts"

const COVERAGE = 100
const HEADING = 15
const OFTEN = 5
const PHRASE = 10
const EXCERPT = 600
const PRECISION = 1_000

interface Indexed {
  readonly document: ReferenceDocument
  readonly lower: string
  readonly counts: ReadonlyMap<string, number>
  readonly heading: ReadonlySet<string>
}

export type SearchIndex = ReadonlyArray<Indexed>

export interface Query {
  readonly query: string
  readonly category?: Category | undefined
  readonly limit: number
}

interface Found {
  readonly metadata: ReferenceMetadata
  readonly score: number
  readonly excerpt: string
}

export interface Findings {
  readonly totalMatches: number
  readonly results: ReadonlyArray<Found>
}

const countsOf = (tokens: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}

export const referenceMetadata = ({ text: _, ...metadata }: ReferenceDocument): ReferenceMetadata => metadata

export const indexDocuments = (documents: ReadonlyArray<ReferenceDocument>): SearchIndex =>
  documents.map(document => ({
    document,
    lower: document.text.toLowerCase(),
    counts: countsOf(searchTokens(document.text)),
    heading: new Set([...searchTokens(document.title), ...searchTokens(document.source.path)])
  }))

/** Zero where none of the words is there. */
const scoreOf = (tokens: ReadonlySet<string>, phrase: string, entry: Indexed): number => {
  let found = 0
  let score = 0
  for (const token of tokens) {
    const count = entry.counts.get(token) ?? 0
    const isInHeading = entry.heading.has(token)
    if (count === 0 && !isInHeading) continue
    found += 1
    score += (isInHeading ? HEADING : 0) + Math.min(OFTEN, Math.log2(count + 1))
  }
  if (found === 0) return 0
  const whole = (COVERAGE * found) / tokens.size + score + (entry.lower.includes(phrase) ? PHRASE : 0)
  return Math.round(whole * PRECISION) / PRECISION
}

/** Where the window begins that holds most of the words; the first of several. */
const bestStart = (text: string, tokens: ReadonlySet<string>): number => {
  const hits = wordsOf(text).filter(word => word.tokens.some(token => tokens.has(token)))
  let best = { at: 0, count: 0 }
  let last = 0
  for (const [first, { at }] of hits.entries()) {
    while (last < hits.length && (hits[last]?.at ?? 0) < at + EXCERPT) last += 1
    if (last - first > best.count) best = { at, count: last - first }
  }
  return Math.min(best.at, Math.max(0, text.length - EXCERPT))
}

interface Scored {
  readonly document: ReferenceDocument
  readonly score: number
}

const byScore = (a: Scored, b: Scored): number =>
  b.score - a.score || (a.document.id < b.document.id ? -1 : 1)

export const searchIndex = (index: SearchIndex, { query, category, limit }: Query): Findings => {
  const tokens = new Set(searchTokens(query))
  const phrase = query.trim().toLowerCase()
  const matches = index
    .filter(({ document }) => category === undefined || document.category === category)
    .map(entry => ({ document: entry.document, score: scoreOf(tokens, phrase, entry) }))
    .filter(({ score }) => score > 0)
    .sort(byScore)
  const results = matches.slice(0, limit).map(({ document, score }) => ({
    metadata: referenceMetadata(document),
    score,
    excerpt: textPage(document.text, bestStart(document.text, tokens), EXCERPT).text
  }))
  return { totalMatches: matches.length, results }
}
