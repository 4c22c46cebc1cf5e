/** Reads limits and what is used of each in one call, by the creation code of sandbox/contracts/LimitsWithUse.sol. */
import { Effect, Either, Schema } from "effect"
import { decodeAbiParameters, encodeAbiParameters } from "viem"
import program from "../../sandbox/artifacts/LimitsWithUse.json" with { type: "json" }
import type { CallOutcome, Read } from "../chain/ChainClient.ts"
import { creationCall } from "../chain/PinnedReads.ts"
import { type RpcFailure, RpcInvalidResponse } from "../chain/refusals.ts"
import { nodeRefused } from "../protocol/Answers.ts"
import type { ReadFailure } from "../protocol/PinnedContracts.ts"
import { CallReverted } from "../protocol/refusals.ts"
import { type Address, type Bytes32, Hex } from "../values/Scalars.ts"

export const LIMITS_PROGRAM: Hex = Schema.decodeUnknownSync(Hex)(program.bytecode)

const ARGUMENTS = [{ type: "address" }, { type: "bytes" }, { type: "address" }, { type: "bytes" }] as const

const RESULT = [
  { name: "count", type: "uint256" },
  {
    name: "rows",
    type: "tuple[]",
    components: [
      { name: "amount", type: "uint256" },
      { name: "currency", type: "uint256" },
      { name: "usedIsKnown", type: "bool" },
      { name: "used", type: "uint256" }
    ]
  }
] as const

export interface LimitWithUse {
  readonly amount: string
  readonly currency: string
  /** Absent where the store did not tell. */
  readonly used?: string
}

export interface LimitsWithUse {
  /** Of all limits, of which the rows show the first thirty-two. */
  readonly count: number
  readonly rows: ReadonlyArray<LimitWithUse>
}

interface Program {
  /** Who tells the limits, and the call to it. */
  readonly limits: readonly [Address, Hex]
  /** Who tells what is used, and the call to it without its last argument, a currency. */
  readonly used: readonly [Address, Hex]
}

const codeOf = ({ limits, used }: Program): Hex =>
  `${LIMITS_PROGRAM}${encodeAbiParameters(ARGUMENTS, [...limits, ...used]).slice(2)}`

const unreadable = () => new RpcInvalidResponse({ retryable: false })

const returned = (data: Hex): Either.Either<LimitsWithUse, RpcInvalidResponse> =>
  Either.try({
    try: () => {
      const [count, rows] = decodeAbiParameters(RESULT, data)
      return {
        count: Number(count),
        rows: rows.map(({ amount, currency, used, usedIsKnown }) => ({
          amount: amount.toString(),
          currency: currency.toString(),
          ...(usedIsKnown && { used: used.toString() })
        }))
      }
    },
    catch: unreadable
  })

const resultOf = (outcome: CallOutcome): Either.Either<LimitsWithUse, ReadFailure> => {
  if (outcome._tag === "Returned") return returned(outcome.data)
  return Either.left(outcome._tag === "Reverted" ? new CallReverted() : nodeRefused(outcome.code))
}

type Ask = <A>(read: Read<A>) => Effect.Effect<A, RpcFailure>

export const limitsWithUse = (
  { ask, block }: { readonly ask: Ask; readonly block: { readonly hash: Bytes32 } },
  program: Program
) => Effect.flatMap(ask(creationCall(codeOf(program), block.hash)), resultOf)
