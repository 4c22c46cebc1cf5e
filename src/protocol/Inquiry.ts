/** Questions about one block whose answers lead to further ones; what waits for no answer shares a round trip. */
import type { CallOutcome, CallRequest } from "../chain/ChainClient.ts"
import type { Address, Hex } from "../values/Scalars.ts"

export type ChainQuestion =
  | { readonly _tag: "Code"; readonly address: Address }
  | {
      readonly _tag: "Call"
      readonly request: CallRequest
      /** Whether later questions follow from the answer, so that it is worth remembering. */
      readonly leads: boolean
    }

/** The same for questions that have the same answer at a block. */
export const questionKey = (question: ChainQuestion): string =>
  question._tag === "Code" ? question.address : `${question.request.to}:${question.request.data}`

interface Settled<A> {
  readonly _tag: "Settled"
  readonly value: A
}

interface Open<A> {
  readonly _tag: "Open"
  readonly questions: ReadonlyArray<ChainQuestion>
  readonly resume: (answers: ReadonlyArray<CallOutcome>) => Inquiry<A>
  /** The value to come, if the chain answers as expected; it is then this very object. */
  readonly guess: A | undefined
}

export type Inquiry<A> = Settled<A> | Open<A>

const UNANSWERED: CallOutcome = { _tag: "Refused", code: 0 }

export const settled = <A>(value: A): Inquiry<A> => ({ _tag: "Settled", value })

const questionsOf = (inquiry: Inquiry<unknown>): ReadonlyArray<ChainQuestion> =>
  inquiry._tag === "Settled" ? [] : inquiry.questions

/** What it asks now that further questions wait for. */
export const leadsOf = (inquiry: Inquiry<unknown>): ReadonlyArray<CallRequest> =>
  questionsOf(inquiry).flatMap(question =>
    question._tag === "Call" && question.leads ? [question.request] : []
  )

const guessOf = <A>(inquiry: Inquiry<A>): A | undefined =>
  inquiry._tag === "Settled" ? inquiry.value : inquiry.guess

const resumed = <A>(inquiry: Inquiry<A>, answers: ReadonlyArray<CallOutcome>): Inquiry<A> =>
  inquiry._tag === "Settled" ? inquiry : inquiry.resume(answers)

/** One round of two inquiries together. */
const sideBySide = <A, B, C>(
  a: Inquiry<A>,
  b: Inquiry<B>,
  guess: C | undefined,
  next: (a: Inquiry<A>, b: Inquiry<B>) => Inquiry<C>
): Inquiry<C> => {
  const first = questionsOf(a)
  return {
    _tag: "Open",
    questions: [...first, ...questionsOf(b)],
    guess,
    resume: answers =>
      next(resumed(a, answers.slice(0, first.length)), resumed(b, answers.slice(first.length)))
  }
}

/** Goes on with the guess at once; a wrong one costs its questions and nothing else. */
const speculate = <A, B>(
  inquiry: Inquiry<A>,
  guess: A,
  foreseen: Inquiry<B>,
  next: (value: A) => Inquiry<B>
): Inquiry<B> => {
  if (inquiry._tag === "Settled") return inquiry.value === guess ? foreseen : next(inquiry.value)
  if (inquiry.guess !== guess) return thenAsking(inquiry, next)
  return sideBySide(inquiry, foreseen, guessOf(foreseen), (real, ahead) =>
    speculate(real, guess, ahead, next)
  )
}

export const thenAsking = <A, B>(inquiry: Inquiry<A>, next: (value: A) => Inquiry<B>): Inquiry<B> => {
  if (inquiry._tag === "Settled") return next(inquiry.value)
  const { guess, questions, resume } = inquiry
  if (guess !== undefined) return speculate(inquiry, guess, next(guess), next)
  return { _tag: "Open", questions, guess: undefined, resume: answers => thenAsking(resume(answers), next) }
}

export const mapInquiry = <A, B>(inquiry: Inquiry<A>, change: (value: A) => B): Inquiry<B> =>
  thenAsking(inquiry, value => settled(change(value)))

export const zipWith = <A, B, C>(a: Inquiry<A>, b: Inquiry<B>, join: (a: A, b: B) => C): Inquiry<C> => {
  const [left, right] = [guessOf(a), guessOf(b)]
  const expected = left === undefined || right === undefined ? undefined : join(left, right)
  const go = (x: Inquiry<A>, y: Inquiry<B>): Inquiry<C> => {
    if (guessOf(x) !== left || guessOf(y) !== right) return zipWith(x, y, join)
    if (x._tag === "Open" || y._tag === "Open") return sideBySide(x, y, expected, go)
    return settled(expected ?? join(x.value, y.value))
  }
  return go(a, b)
}

export const all = <A>(inquiries: ReadonlyArray<Inquiry<A>>): Inquiry<ReadonlyArray<A>> =>
  inquiries.reduce<Inquiry<ReadonlyArray<A>>>(
    (before, inquiry) => zipWith(before, inquiry, (values, value) => [...values, value]),
    settled([])
  )

const isSame = (a: CallOutcome, b: CallOutcome): boolean =>
  a._tag === "Returned" && b._tag === "Returned" && a.data === b.data

const ask = (question: ChainQuestion, guess: CallOutcome | undefined): Inquiry<CallOutcome> => ({
  _tag: "Open",
  questions: [question],
  guess,
  resume: ([answer = UNANSWERED]) => settled(guess !== undefined && isSame(answer, guess) ? guess : answer)
})

export const inquireCall = (request: CallRequest): Inquiry<CallOutcome> =>
  ask({ _tag: "Call", request, leads: false }, undefined)

/** A call whose answer further questions wait for. */
export const lead = (request: CallRequest, guess: CallOutcome | undefined): Inquiry<CallOutcome> =>
  ask({ _tag: "Call", request, leads: true }, guess)

export const inquireCode = (address: Address): Inquiry<Hex> =>
  mapInquiry(ask({ _tag: "Code", address }, undefined), answer =>
    answer._tag === "Returned" ? answer.data : "0x"
  )
