/** What an inspection asks of a wallet and of the contracts that it stands on; all of it travels in one round trip. */
import { Effect, Either, Option, Schema } from "effect"
import type { AbiParameter } from "../catalog/Abi.ts"
import type { CallOutcome, CallRequest, ChainSession } from "../chain/ChainClient.ts"
import { storageWord } from "../chain/PinnedReads.ts"
import type { RpcFailure } from "../chain/refusals.ts"
import { decodeValues } from "../protocol/AbiValues.ts"
import { invocation, nodeRefused } from "../protocol/Answers.ts"
import { NO_CODE, packedAnswers, packedRead } from "../protocol/PackedCalls.ts"
import type { Evidence } from "../values/Evidence.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import { memo } from "../values/Memo.ts"
import { Address, Bytes32, type Hex, Uint256, ZERO_ADDRESS } from "../values/Scalars.ts"
import { pinsOf, type SmartManifest } from "./Manifest.ts"
import { historyLogs } from "./WalletHistory.ts"

/** Where a list of a wallet's begins and ends. */
export const SENTINEL: Address = "0x0000000000000000000000000000000000000001"
const PAGE = 33n

const SINGLETON_SLOT: Bytes32 = `0x${"00".repeat(32)}`
const HANDLER_SLOT = keccak256Utf8("fallback_manager.handler.address")
const GUARD_SLOT = keccak256Utf8("guard_manager.guard.address")

/** How an answer is read; made once for all questions of its kind. */
type Reading<A> = (data: Hex) => Option.Option<A>

/** Most wallets say the same of most things; a longer answer is read each time. */
const ANSWERS_KEPT = 64
const LONGEST_KEPT = 1_024

export const reading = <A, I>(types: ReadonlyArray<string>, as: Schema.Schema<A, I>): Reading<A> => {
  const outputs: ReadonlyArray<AbiParameter> = types.map(type => ({ name: "", type }))
  const decode = Schema.decodeUnknownOption(as)
  const known = memo<Option.Option<A>>(ANSWERS_KEPT)
  const read: Reading<A> = data =>
    Option.flatMap(Either.getRight(decodeValues(outputs, data)), all =>
      decode(outputs.length === 1 ? all[0] : all)
    )
  return data => (data.length > LONGEST_KEPT ? read(data) : known(data, () => read(data)))
}

/** Of a contract that is not there. */
export const ABSENT: CallOutcome = { _tag: "Reverted", data: "0x" }

/** None where the contract does not answer as one does. */
export const contractAnswer = <A>(
  { read }: { readonly read: Reading<A> },
  outcome: CallOutcome
): Either.Either<Option.Option<A>, RpcFailure> => {
  if (outcome._tag === "Refused") return Either.left(nodeRefused(outcome.code))
  return Either.right(outcome._tag === "Reverted" ? Option.none() : read(outcome.data))
}

const ADDRESS = reading(["address"], Address)
const ADDRESSES = reading(["address[]"], Schema.Array(Address))
const NUMBER = reading(["uint256"], Uint256)
const TEXT = reading(["string"], Schema.String)
const WORD = reading(["bytes"], Bytes32)
const LIST_PAGE = reading(["address[]", "address"], Schema.Tuple(Schema.Array(Address), Address))
/** Enable nonce, epoch, whether it is installed, history, and what lives. */
const ADMINISTRATION = reading(
  ["uint64", "uint64", "bool", "bytes32", "bytes32"],
  Schema.Tuple(Uint256, Uint256, Schema.Boolean, Bytes32, Bytes32)
)

const asking = <A>(
  read: Reading<A>,
  to: Address,
  signature: string,
  ...words: ReadonlyArray<string | bigint>
) => ({
  read,
  request: invocation(to, signature, ...words)
})

const administrationQuestion = (guard: Address, wallet: Address) =>
  asking(ADMINISTRATION, guard, "administrationOf(address)", wallet)

const pageQuestion = (to: Address, list: string) =>
  asking(LIST_PAGE, to, `${list}(address,uint256)`, SENTINEL, PAGE)

/** What a nonce of a validator's begins with. */
const keyOf = (validator: Address): bigint => BigInt(validator) << 32n

const nonceQuestions = ({ pins }: SmartManifest, wallet: Address, validator: Address) => ({
  counted: asking(NUMBER, pins.entryPoint.address, "getNonce(address,uint192)", wallet, keyOf(validator)),
  adapted: asking(NUMBER, pins.adapter.address, "getNonce(address,address)", wallet, validator),
  key: keyOf(validator)
})

/** Of the wallet's storage, as the code of its singleton tells it. */
const slotQuestion = (wallet: Address, slot: Bytes32) =>
  asking(WORD, wallet, "getStorageAt(uint256,uint256)", slot, 1n)

const walletQuestions = (wallet: Address) => ({
  version: asking(TEXT, wallet, "VERSION()"),
  owners: asking(ADDRESSES, wallet, "getOwners()"),
  threshold: asking(NUMBER, wallet, "getThreshold()"),
  safeNonce: asking(NUMBER, wallet, "nonce()"),
  safeModules: pageQuestion(wallet, "getModulesPaginated"),
  validators: pageQuestion(wallet, "getValidatorsPaginated"),
  executors: pageQuestion(wallet, "getExecutorsPaginated"),
  hook: asking(ADDRESS, wallet, "getActiveHook()"),
  entryPoint: asking(ADDRESS, wallet, "entryPoint()"),
  handler: slotQuestion(wallet, HANDLER_SLOT),
  transactionGuard: slotQuestion(wallet, GUARD_SLOT)
})

type WalletQuestions = ReturnType<typeof walletQuestions>

const requestsOf = (asked: WalletQuestions): ReadonlyArray<CallRequest> =>
  Object.values(asked).map(({ request }) => request)

/** What the wallet says of itself, in the order of its questions. */
const walletTold = (asked: WalletQuestions, outcomes: ReadonlyArray<CallOutcome>) => {
  const rest = outcomes.values()
  const told = <A>(question: { readonly read: Reading<A> }) =>
    contractAnswer(question, rest.next().value ?? ABSENT)
  return Either.all({
    version: told(asked.version),
    owners: told(asked.owners),
    threshold: told(asked.threshold),
    safeNonce: told(asked.safeNonce),
    safeModules: told(asked.safeModules),
    validators: told(asked.validators),
    executors: told(asked.executors),
    hook: told(asked.hook),
    entryPoint: told(asked.entryPoint),
    handler: told(asked.handler),
    transactionGuard: told(asked.transactionGuard)
  })
}

/** What entry point and adapter count of each validator's operations, and what the guard keeps of the wallet. */
const furtherQuestions = (manifest: SmartManifest, wallet: Address) => {
  const { guard } = manifest.pins
  const guards = guard === undefined ? [] : [guard.address]
  const nonces = [ZERO_ADDRESS, ...guards].map(validator => nonceQuestions(manifest, wallet, validator))
  const administrations = guards.map(each => administrationQuestion(each, wallet))
  const requests = [
    ...nonces.flatMap(({ counted, adapted }) => [counted.request, adapted.request]),
    ...administrations.map(({ request }) => request)
  ]
  return { nonces, administrations, requests }
}

const furtherTold = (
  { nonces, administrations }: ReturnType<typeof furtherQuestions>,
  outcomes: ReadonlyArray<CallOutcome>
) => {
  const at = (index: number) => outcomes[index] ?? ABSENT
  const [administration] = administrations
  return Either.all({
    nonces: Either.all(
      nonces.map(({ counted, adapted, key }, index) =>
        Either.all({
          counted: contractAnswer(counted, at(2 * index)),
          adapted: contractAnswer(adapted, at(2 * index + 1)),
          key: Either.right(key)
        })
      )
    ),
    administration:
      administration === undefined
        ? Either.right(Option.none())
        : contractAnswer(administration, at(2 * nonces.length))
  })
}

/** All that tells of the wallet itself, and which code it, the contracts that it stands on and its expected owners have. */
export const walletReads = Effect.fnUntraced(function* (
  session: ChainSession,
  { blockHash: at, blockNumber }: Evidence,
  manifest: SmartManifest,
  wallet: Address,
  expected: ReadonlyArray<Address>
) {
  const asked = walletQuestions(wallet)
  const further = furtherQuestions(manifest, wallet)
  const pins = pinsOf(manifest)
  const questions = {
    calls: [...requestsOf(asked), ...further.requests],
    codes: [wallet, ...pins.map(({ address }) => address), ...expected]
  }
  const [row, history, singleton] = yield* session.all([
    packedRead(questions, at),
    historyLogs(wallet, BigInt(blockNumber)),
    storageWord(wallet, SINGLETON_SLOT, at)
  ])
  const { outcomes, codeHashes } = yield* packedAnswers(session, questions, at, row)
  const own = outcomes.length - further.requests.length
  const [codeHash = NO_CODE, ...others] = codeHashes
  return {
    ...{ history, singleton, codeHash },
    pinned: others.slice(0, pins.length),
    foreseen: others.slice(pins.length),
    ...(yield* walletTold(asked, outcomes.slice(0, own))),
    ...(yield* furtherTold(further, outcomes.slice(own)))
  }
})

export type WalletFindings = Effect.Effect.Success<ReturnType<typeof walletReads>>
