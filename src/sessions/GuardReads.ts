/** What a guard keeps of a permission and of the wallet, as it tells at one block. */
import { Effect, Option } from "effect"
import type { CallOutcome, ChainSession } from "../chain/ChainClient.ts"
import { call, code } from "../chain/PinnedReads.ts"
import { type RpcFailure, RpcInvalidResponse } from "../chain/refusals.ts"
import { invocation, nodeRefused } from "../protocol/Answers.ts"
import { codeHash } from "../protocol/RuntimeCode.ts"
import type { NamedPin } from "../smartaccounts/Manifest.ts"
import { checksummed } from "../values/Checksum.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"
import {
  type GuardAdministration,
  MAXIMUM_POLICY_MEMBERS,
  PERMISSION_STATUS,
  type PermissionState
} from "./GuardState.ts"

export interface ToldByGuard {
  readonly state: PermissionState
  readonly administration: GuardAdministration
}

const WORD_DIGITS = 64
const STATE_WORDS = 8 + 2 * MAXIMUM_POLICY_MEMBERS
const ADMINISTRATION_WORDS = 5

/** Undefined where the answer is not so many words. */
const wordsOf = (data: Hex, count: number): ReadonlyArray<Bytes32> | undefined =>
  data.length === 2 + count * WORD_DIGITS
    ? Array.from({ length: count }, (_, index): Bytes32 => {
        const start = 2 + index * WORD_DIGITS
        return `0x${data.slice(start, start + WORD_DIGITS)}`
      })
    : undefined

const ZERO_WORD: Bytes32 = `0x${"0".repeat(WORD_DIGITS)}`

const addressIn = (word: Bytes32): Address => checksummed(`0x${word.slice(-40)}`)

const stateIn = (data: Hex): PermissionState | undefined => {
  const words = wordsOf(data, STATE_WORDS)
  if (words === undefined) return undefined
  const at = (index: number) => words[index] ?? ZERO_WORD
  const numbers = (from: number) => words.slice(from, from + MAXIMUM_POLICY_MEMBERS).map(BigInt)
  const status = Number(BigInt(at(1)))
  return status > PERMISSION_STATUS.revoked
    ? undefined
    : {
        compiledHash: at(0),
        status,
        validAfter: Number(BigInt(at(2))),
        validUntil: Number(BigInt(at(3))),
        calls: Number(BigInt(at(4))),
        sessionKey: addressIn(at(5)),
        gas: BigInt(at(6)),
        cost: BigInt(at(7)),
        actionSpent: numbers(8),
        allocationSpent: numbers(8 + MAXIMUM_POLICY_MEMBERS)
      }
}

const administrationIn = (data: Hex): GuardAdministration | undefined => {
  const words = wordsOf(data, ADMINISTRATION_WORDS)
  if (words === undefined) return undefined
  const [enableNonce = ZERO_WORD, epoch = ZERO_WORD, installed = ZERO_WORD, ...others] = words
  const [history = ZERO_WORD, live = ZERO_WORD] = others
  return {
    enableNonce: BigInt(enableNonce),
    epoch: BigInt(epoch),
    installed: BigInt(installed) !== 0n,
    history,
    live
  }
}

/** None where it does not answer as a guard does. */
const answered = <A>(
  outcome: CallOutcome,
  read: (data: Hex) => A | undefined
): Effect.Effect<Option.Option<A>, RpcFailure> => {
  if (outcome._tag === "Refused") return Effect.fail(nodeRefused(outcome.code))
  return Effect.succeed(outcome._tag === "Reverted" ? Option.none() : Option.fromNullable(read(outcome.data)))
}

export interface GuardPlace extends Pick<NamedPin, "address"> {
  /** Undefined where no manifest pins it. */
  readonly runtimeCodeHash?: Bytes32
}

export interface GuardedPermission {
  readonly wallet: Address
  readonly permissionId: Bytes32
}

/** A guard keeps both together; a node that mixes blocks tells the one of before a change and the other of after it. */
const isOfOneBlock = ({ state, administration }: ToldByGuard, permissionId: Bytes32): boolean =>
  (state.status === PERMISSION_STATUS.enabled) === (administration.live === permissionId)

const MIXED = "The node's answers are of no one block: by one the permission lives, by the other it does not."

const readOnce = Effect.fnUntraced(function* (
  session: ChainSession,
  at: Bytes32,
  { address, runtimeCodeHash }: GuardPlace,
  { wallet, permissionId }: GuardedPermission
) {
  const [found, kept, administered] = yield* session.all([
    code(address, at),
    call(invocation(address, "stateOf(bytes32,address)", permissionId, wallet), at),
    call(invocation(address, "administrationOf(address)", wallet), at)
  ])
  if (codeHash(found) !== (runtimeCodeHash ?? codeHash(found))) return Option.none<ToldByGuard>()
  const told = Option.all({
    state: yield* answered(kept, stateIn),
    administration: yield* answered(administered, administrationIn)
  })
  return Option.isNone(told) || isOfOneBlock(told.value, permissionId)
    ? told
    : yield* new RpcInvalidResponse({ detail: MIXED })
})

/** One round trip, and another one where what was told is of no one block; none where the guard has other code than a manifest pins, whatever it says then. */
export const guardReads = (...asked: Parameters<typeof readOnce>) =>
  Effect.catchTag(readOnce(...asked), "RPC_INVALID_RESPONSE", () => readOnce(...asked))
