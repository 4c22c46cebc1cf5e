/** Many calls and hashes of code at one block in one call, by the creation code of sandbox/contracts/programs/PackedCalls.sol. */
import { Effect, Either, Schema } from "effect"
import program from "../../sandbox/artifacts/PackedCalls.json" with { type: "json" }
import type { CallOutcome, CallRequest, ChainSession, Read } from "../chain/ChainClient.ts"
import { isLimiting } from "../chain/JsonRpc.ts"
import { call, code, creationCall } from "../chain/PinnedReads.ts"
import type { RpcFailure } from "../chain/refusals.ts"
import { type Address, type Bytes32, Hex } from "../values/Scalars.ts"
import { codeHash } from "./RuntimeCode.ts"

export const PACKED_CALLS: Hex = Schema.decodeUnknownSync(Hex)(program.bytecode)

export interface PackedQuestions {
  readonly calls: ReadonlyArray<Pick<CallRequest, "to" | "data">>
  /** Whose code is asked for by its hash. */
  readonly codes: ReadonlyArray<Address>
}

export interface PackedAnswers {
  readonly outcomes: ReadonlyArray<CallOutcome>
  readonly codeHashes: ReadonlyArray<Bytes32>
}

/** Of what has no code. */
export const NO_CODE = codeHash("0x")
/** Of an address that nothing was ever sent to. */
const NOTHING: Hex = `0x${"0".repeat(64)}`

const CODE_HASH = "ffff"
const LONGEST_CALLDATA = 0xfffe
const WORD_DIGITS = 64

const digits = (number: number, bytes: number): string => number.toString(16).padStart(2 * bytes, "0")
const addressDigits = (address: Address): string => address.slice(2).toLowerCase()

const packed = ({ calls, codes }: PackedQuestions): string =>
  [
    ...calls.map(({ to, data }) => `${addressDigits(to)}${digits(data.length / 2 - 1, 2)}${data.slice(2)}`),
    ...codes.map(address => `${addressDigits(address)}${CODE_HASH}`)
  ].join("")

/** The program with its one argument, bytes. */
const programOf = (questions: PackedQuestions): Hex => {
  const argument = packed(questions)
  const padding = "0".repeat(-argument.length & (WORD_DIGITS - 1))
  return `${PACKED_CALLS}${digits(32, 32)}${digits(argument.length / 2, 32)}${argument}${padding}`
}

/** What each was told, where it was. */
type Row = ReadonlyArray<Hex | undefined>

/** Nothing at all where the row is not of as many as were asked. */
const toldIn = (row: Hex, count: number): Row => {
  const told: Array<Hex | undefined> = []
  let at = 2
  while (at + 10 <= row.length && told.length < count) {
    const end = at + 10 + 2 * Number.parseInt(row.slice(at + 2, at + 10), 16)
    if (end > row.length) return []
    told.push(row.slice(at, at + 2) === "01" ? `0x${row.slice(at + 10, end)}` : undefined)
    at = end
  }
  return at === row.length && told.length === count ? told : []
}

const returned = (told: Hex | undefined): CallOutcome | undefined =>
  told === undefined ? undefined : { _tag: "Returned", data: told }

const hashIn = (told: Hex | undefined): Bytes32 | undefined => (told === NOTHING ? NO_CODE : told)

const settled = (outcome: CallOutcome, failsInside: boolean): CallOutcome =>
  failsInside && isInDoubt(outcome) ? { _tag: "Reverted", data: "0x" } : outcome

/** Some nodes refuse a view that reverts without data as they do one that they cannot run. */
const isInDoubt = (outcome: CallOutcome): boolean => outcome._tag === "Refused" && !isLimiting(outcome.code)

/** Each as it was told, or by itself in the order of those that were not. */
const filled = <A>(told: ReadonlyArray<A | undefined>, alone: ReadonlyArray<A>): ReadonlyArray<A> => {
  const others = alone.values()
  return told.flatMap(each => each ?? others.next().value ?? [])
}

const untold = <A>(asked: ReadonlyArray<A>, told: ReadonlyArray<unknown>): ReadonlyArray<A> =>
  asked.filter((_, index) => told[index] === undefined)

/** All of it in one call; nothing of it where the node does not run the program, or answers what cannot be read. */
export const packedRead = (questions: PackedQuestions, at: Bytes32): Read<Row> => {
  const { decode, ...read } = creationCall(programOf(questions), at)
  const count = questions.calls.length + questions.codes.length
  return {
    ...read,
    decode: result => {
      const outcome = Either.getOrUndefined(decode(result))
      return Either.right(outcome?._tag === "Returned" ? toldIn(outcome.data, count) : [])
    },
    onNodeError: () => []
  }
}

/** Undefined where the program did not tell. */
export interface PackedTold {
  readonly outcomes: ReadonlyArray<CallOutcome | undefined>
  readonly codeHashes: ReadonlyArray<Bytes32 | undefined>
}

export const packedTold = ({ calls, codes }: PackedQuestions, row: Row): PackedTold => ({
  outcomes: calls.map((_, index) => returned(row[index])),
  codeHashes: codes.map((_, index) => hashIn(row[calls.length + index]))
})

/** Whatever the program did not tell is asked by itself: inside it a call may fail for want of gas, and some nodes run none. */
export const packedAnswers = (
  session: ChainSession,
  questions: PackedQuestions,
  at: Bytes32,
  row: Row
): Effect.Effect<PackedAnswers, RpcFailure> => {
  const { outcomes, codeHashes } = packedTold(questions, row)
  const [callsLeft, codesLeft] = [untold(questions.calls, outcomes), untold(questions.codes, codeHashes)]
  const isTold = row.length > 0
  const all = (called: ReadonlyArray<CallOutcome>, read: ReadonlyArray<Hex>): PackedAnswers => ({
    outcomes: filled(
      outcomes,
      called.map(outcome => settled(outcome, isTold))
    ),
    codeHashes: filled(codeHashes, read.map(codeHash))
  })
  if (callsLeft.length + codesLeft.length === 0) return Effect.succeed(all([], []))
  const alone = [
    session.all(callsLeft.map(request => call(request, at))),
    session.all(codesLeft.map(address => code(address, at)))
  ] as const
  return Effect.map(Effect.all(alone, { concurrency: "unbounded" }), ([called, read]) => all(called, read))
}

/** Whether the chain itself says that the call fails; false where it does not say so. */
const failsOnChain = (
  session: Pick<ChainSession, "all">,
  { to, data }: PackedQuestions["calls"][number],
  at: Bytes32
): Effect.Effect<boolean> =>
  data.length / 2 - 1 > LONGEST_CALLDATA
    ? Effect.succeed(false)
    : session.all([packedRead({ calls: [{ to, data }], codes: [] }, at)]).pipe(
        Effect.map(([row]) => row.length === 1 && row[0] === undefined),
        Effect.orElseSucceed(() => false)
      )

/** Where the node refused a view, the chain says whether it reverts. */
export const settledOnChain = (
  session: Pick<ChainSession, "all">,
  asked: PackedQuestions["calls"][number],
  at: Bytes32,
  outcome: CallOutcome
): Effect.Effect<CallOutcome> =>
  isInDoubt(outcome)
    ? Effect.map(failsOnChain(session, asked, at), fails => settled(outcome, fails))
    : Effect.succeed(outcome)

export const packedReads = (session: ChainSession, questions: PackedQuestions, at: Bytes32) =>
  Effect.flatMap(session.all([packedRead(questions, at)]), ([row]) =>
    packedAnswers(session, questions, at, row)
  )
