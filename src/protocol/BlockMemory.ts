/** Asks an endpoint once for what many ask about a block: the hash names the state, so an answer stays true of it, and every operation proves by its own read of the block that the hash is canonical. */
import { Deferred, Effect, Exit, FiberId } from "effect"
import type { CallOutcome, Snapshot } from "../chain/ChainClient.ts"
import type { RpcFailure } from "../chain/refusals.ts"
import { type ChainQuestion, questionKey } from "./Inquiry.ts"

type Questions = ReadonlyArray<ChainQuestion>
type Answers = ReadonlyMap<string, CallOutcome>
type Ask = (questions: Questions) => Effect.Effect<ReadonlyArray<CallOutcome>, RpcFailure>

export interface BlockMemory {
  /** Asks for what is neither remembered nor under way; the answers come by the keys of the questions. */
  readonly answers: (snapshot: Snapshot, questions: Questions, ask: Ask) => Effect.Effect<Answers, RpcFailure>
  /** What refused a proof may have been a lie, so that whoever asks next asks the endpoint again. */
  readonly forget: (snapshot: Snapshot) => void
}

const BLOCKS_OF_A_CHAIN = 2
const MOST_ENTRIES = 1024
const MOST_CHARACTERS = 16 * 1024 * 1024

/** Nothing comes of one whose asker was interrupted or refused: that may be for what it asked beside, or for its own share. */
type Flight = Deferred.Deferred<Answers | undefined>

/** A block as one endpoint knows it. */
interface Page {
  readonly chainId: number
  readonly kept: Map<string, CallOutcome>
  readonly flights: Map<string, Flight>
  characters: number
}

/** A caller's own call is nobody else's question. */
const isShared = (question: ChainQuestion): boolean => question._tag === "Code" || question.leads

/** Empty code is a failure to whoever asks for code. */
const isLasting = (answer: CallOutcome): boolean => answer._tag === "Returned" && answer.data !== "0x"

const sizeOf = (key: string, answer: CallOutcome): number =>
  key.length + (answer._tag === "Returned" ? answer.data.length : 0)

const pageKey = ({ chainId, endpoint }: Snapshot["session"], { hash }: Snapshot["block"]): string =>
  `${chainId}/${endpoint}/${hash}`

/** The least recently used page comes first. */
const makePages = () => {
  const pages = new Map<string, Page>()

  const forget = (page: Page, others: ReadonlyArray<readonly [string, Page]>, isOver: () => boolean) => {
    for (const [key, other] of others) if (other !== page && isOver()) pages.delete(key)
  }

  const charactersKept = () => [...pages.values()].reduce((sum, { characters }) => sum + characters, 0)

  const open = ({ session, block }: Snapshot): Page => {
    const { chainId } = session
    const key = pageKey(session, block)
    const page = pages.get(key) ?? { chainId, kept: new Map(), flights: new Map(), characters: 0 }
    pages.delete(key)
    pages.set(key, page)
    const siblings = [...pages].filter(([, other]) => other.chainId === chainId)
    let spare = siblings.length - BLOCKS_OF_A_CHAIN
    forget(page, siblings, () => spare-- > 0)
    return page
  }

  const keep = (page: Page, key: string, answer: CallOutcome): void => {
    const size = sizeOf(key, answer)
    const isFull = page.kept.size >= MOST_ENTRIES || page.characters + size > MOST_CHARACTERS
    if (isFull || page.kept.has(key) || !isLasting(answer)) return
    page.kept.set(key, answer)
    page.characters += size
    forget(page, [...pages], () => charactersKept() > MOST_CHARACTERS)
  }

  const close = ({ session, block }: Snapshot): void => {
    pages.delete(pageKey(session, block))
  }

  return { open, keep, close }
}

type Keep = (page: Page, key: string, answer: CallOutcome) => void

/** Asks, and lets those who come meanwhile wait for the answers; whatever interrupts it comes after it is sure to tell them. */
const flown = (page: Page, questions: Questions, ask: Ask, keep: Keep): Effect.Effect<Answers, RpcFailure> =>
  Effect.uninterruptibleMask(restore => {
    const flight: Flight = Deferred.unsafeMake(FiberId.none)
    const shared = new Set(questions.filter(isShared).map(questionKey))
    for (const key of shared) page.flights.set(key, flight)
    const answered = Effect.map(ask(questions), outcomes => {
      const answers = new Map<string, CallOutcome>()
      for (const [index, outcome] of outcomes.entries()) {
        const question = questions[index]
        if (question !== undefined) answers.set(questionKey(question), outcome)
      }
      return answers
    })
    return Effect.onExit(restore(answered), exit =>
      Effect.sync(() => {
        for (const key of shared) if (page.flights.get(key) === flight) page.flights.delete(key)
        Deferred.unsafeDone(flight, Effect.succeed(Exit.getOrElse(exit, () => undefined)))
        if (Exit.isSuccess(exit))
          for (const [key, answer] of exit.value) if (shared.has(key)) keep(page, key, answer)
      })
    )
  })

const answersTo = Effect.fnUntraced(function* (page: Page, questions: Questions, ask: Ask, keep: Keep) {
  const answers = new Map<string, CallOutcome>()
  const awaited: Array<readonly [string, Flight]> = []
  const own: Array<ChainQuestion> = []
  for (const question of questions) {
    const key = questionKey(question)
    const [kept, flight] = isShared(question) ? [page.kept.get(key), page.flights.get(key)] : []
    if (kept !== undefined) answers.set(key, kept)
    else if (flight !== undefined) awaited.push([key, flight])
    else own.push(question)
  }
  if (own.length > 0) for (const [key, answer] of yield* flown(page, own, ask, keep)) answers.set(key, answer)
  for (const [key, flight] of awaited) {
    const answer = (yield* Deferred.await(flight))?.get(key)
    if (answer !== undefined) answers.set(key, answer)
  }
  const left = questions.filter(question => !answers.has(questionKey(question)))
  if (left.length > 0)
    for (const [key, answer] of yield* flown(page, left, ask, keep)) answers.set(key, answer)
  return answers
})

export const makeBlockMemory = (): BlockMemory => {
  const { open, keep, close } = makePages()
  return {
    answers: (snapshot, questions, ask) =>
      Effect.suspend(() => answersTo(open(snapshot), questions, ask, keep)),
    forget: close
  }
}
