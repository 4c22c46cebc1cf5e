/** Reads limits and what is used of each in one call, by the creation code of sandbox/contracts/LimitsWithUse.sol. */
import { Effect, Either } from "effect"
import { decodeAbiParameters, encodeAbiParameters } from "viem"
import type { CallOutcome, Read } from "../chain/ChainClient.ts"
import { creationCall } from "../chain/PinnedReads.ts"
import { type RpcFailure, RpcInvalidResponse } from "../chain/refusals.ts"
import { nodeRefused } from "../protocol/Answers.ts"
import type { ReadFailure } from "../protocol/PinnedContracts.ts"
import { CallReverted } from "../protocol/refusals.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"

export const LIMITS_PROGRAM: Hex =
  "0x60806040523461009c576105a138819003906080601f8301601f1916810191906001600160401b038311908310176100a05782916040526080396080818101911261009c5761004c610103565b60a0519091906001600160401b03811161009c578161006d91608001610148565b61007760c0610119565b60e05190926001600160401b03821161009c5761009691608001610148565b926103e7565b5f80fd5b634e487b7160e01b5f52604160045260245ffd5b604081019081106001600160401b038211176100a057604052565b601f909101601f19168101906001600160401b038211908210176100a057604052565b604051906101016080836100cf565b565b608051906001600160a01b038216820361009c57565b51906001600160a01b038216820361009c57565b6001600160401b0381116100a057601f01601f191660200190565b81601f8201121561009c5780519061015f8261012d565b9261016d60405194856100cf565b8284526020838301011161009c57815f9260208093018386015e8301015290565b3d156101b8573d9061019f8261012d565b916101ad60405193846100cf565b82523d5f602084013e565b606090565b6001600160401b0381116100a05760051b60200190565b60208183031261009c578051906001600160401b03821161009c570181601f8201121561009c57805190610207826101bd565b9261021560405194856100cf565b82845260208085019360061b8301019181831161009c57602001925b82841061023f575050505090565b60408483031261009c5760405190610256826100b4565b84516001600160e01b038116810361009c57825260208501519063ffffffff8216820361009c5782602092836040950152815201930192610231565b9061029c826101bd565b6102a960405191826100cf565b82815280926102ba601f19916101bd565b015f5b8181106102c957505050565b6040516080810191906001600160401b038311818410176100a0576020926040525f81525f838201525f60408201525f6060820152828286010152016102bd565b805182101561031e5760209160051b010190565b634e487b7160e01b5f52603260045260245ffd5b805191908290602001825e015f815290565b6101019061036661036094936040519586936020850190610332565b90610332565b03601f1981018452836100cf565b9081602091031261009c575190565b6060602091604081019381526040838201528451809452019201905f5b8181106103ad5750505090565b90919260206080600192606087518051835284810151858401526040810151151560408401520151606082015201940191019190916103a0565b5f918291602082519201905afa6103fc61018e565b90158015610597575b61009c578060208061041c935183010191016101d4565b908151602081105f1461058e57905b61043482610292565b935f5b83811061046b5785610459610467875192604051928391602083019586610383565b03601f1981018352826100cf565b5190f35b805f806104ba6104596104b46104a0610497602061048b60019a8f61030a565b51015163ffffffff1690565b63ffffffff1690565b604051928391602083019190602083019252565b86610344565b602081519101875afa6104cb61018e565b6105496104e96104db858b61030a565b51516001600160e01b031690565b926104f9602061048b878d61030a565b928180610582575b80610577575b1561056a576105248160208063ffffffff94518301019101610374565b935b61052e6100f2565b95888060e01b03168652166020850152604084019015159052565b6060820152610558828961030a565b52610563818861030a565b5001610437565b5063ffffffff5f93610526565b506020815114610507565b81516020149250610501565b5060209061042b565b5080511561040556fe"

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
