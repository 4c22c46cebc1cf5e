/** What an inspection asks of a wallet and of the contracts that it stands on; all of it travels in one round trip. */
import { Effect, Either, Option, Schema } from "effect"
import type { CallOutcome, CallRequest, ChainSession } from "../chain/ChainClient.ts"
import { call, code, storageWord } from "../chain/PinnedReads.ts"
import type { RpcFailure } from "../chain/refusals.ts"
import { decodeValues } from "../protocol/AbiValues.ts"
import { invocation, nodeRefused } from "../protocol/Answers.ts"
import type { Evidence } from "../values/Evidence.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import { Address, Bytes32, Uint256, ZERO_ADDRESS } from "../values/Scalars.ts"
import type { NamedPin, SmartManifest } from "./Manifest.ts"
import { installationLogs, setUpLogs } from "./WalletHistory.ts"

/** Where a list of a wallet's begins and ends. */
export const SENTINEL: Address = "0x0000000000000000000000000000000000000001"
const PAGE = 33n

const SINGLETON_SLOT: Bytes32 = `0x${"00".repeat(32)}`
const HANDLER_SLOT = keccak256Utf8("fallback_manager.handler.address")
const GUARD_SLOT = keccak256Utf8("guard_manager.guard.address")

const ListPage = Schema.Tuple(Schema.Array(Address), Address)

interface Question<A, I> {
  readonly request: CallRequest
  readonly outputs: ReadonlyArray<string>
  readonly as: Schema.Schema<A, I>
}

/** None where the contract does not answer as one does. */
export const contractAnswer = <A, I>(
  { outputs, as }: Question<A, I>,
  outcome: CallOutcome
): Effect.Effect<Option.Option<A>, RpcFailure> => {
  if (outcome._tag === "Refused") return Effect.fail(nodeRefused(outcome.code))
  if (outcome._tag === "Reverted") return Effect.succeedNone
  const values = decodeValues(
    outputs.map(type => ({ name: "", type })),
    outcome.data
  )
  const told = Either.getRight(values).pipe(
    Option.flatMap(all => Schema.decodeUnknownOption(as)(outputs.length === 1 ? all[0] : all))
  )
  return Effect.succeed(told)
}

const addressQuestion = (to: Address, signature: string) => ({
  request: invocation(to, signature),
  outputs: ["address"],
  as: Address
})

const numberQuestion = (request: CallRequest) => ({ request, outputs: ["uint256"], as: Uint256 })

/** Enable nonce, epoch, whether it is installed, history, and what lives. */
const Administration = Schema.Tuple(Uint256, Uint256, Schema.Boolean, Bytes32, Bytes32)

const administrationQuestion = (guard: Address, wallet: Address) => ({
  request: invocation(guard, "administrationOf(address)", wallet),
  outputs: ["uint64", "uint64", "bool", "bytes32", "bytes32"],
  as: Administration
})

const pageQuestion = (to: Address, list: string) => ({
  request: invocation(to, `${list}(address,uint256)`, SENTINEL, PAGE),
  outputs: ["address[]", "address"],
  as: ListPage
})

/** What a nonce of a validator's begins with. */
const keyOf = (validator: Address): bigint => BigInt(validator) << 32n

const nonceQuestions = ({ pins }: SmartManifest, wallet: Address, validator: Address) => ({
  counted: numberQuestion(
    invocation(pins.entryPoint.address, "getNonce(address,uint192)", wallet, keyOf(validator))
  ),
  adapted: numberQuestion(invocation(pins.adapter.address, "getNonce(address,address)", wallet, validator)),
  key: keyOf(validator)
})

const walletQuestions = (wallet: Address) => ({
  version: { request: invocation(wallet, "VERSION()"), outputs: ["string"], as: Schema.String },
  owners: {
    request: invocation(wallet, "getOwners()"),
    outputs: ["address[]"],
    as: Schema.Array(Address)
  },
  threshold: numberQuestion(invocation(wallet, "getThreshold()")),
  safeNonce: numberQuestion(invocation(wallet, "nonce()")),
  safeModules: pageQuestion(wallet, "getModulesPaginated"),
  validators: pageQuestion(wallet, "getValidatorsPaginated"),
  executors: pageQuestion(wallet, "getExecutorsPaginated"),
  hook: addressQuestion(wallet, "getActiveHook()"),
  entryPoint: addressQuestion(wallet, "entryPoint()")
})

/** What the wallet says of itself. */
const toldReads = Effect.fnUntraced(function* (session: ChainSession, at: Bytes32, wallet: Address) {
  const asked = walletQuestions(wallet)
  const put = <A, I>({ request }: Question<A, I>) => call(request, at)
  const [version, owners, threshold, safeNonce, ...others] = yield* session.all([
    ...([put(asked.version), put(asked.owners), put(asked.threshold), put(asked.safeNonce)] as const),
    ...([put(asked.safeModules), put(asked.validators), put(asked.executors)] as const),
    ...([put(asked.hook), put(asked.entryPoint)] as const)
  ])
  const [safeModules, validators, executors, hook, entryPoint] = others
  return yield* Effect.all({
    version: contractAnswer(asked.version, version),
    owners: contractAnswer(asked.owners, owners),
    threshold: contractAnswer(asked.threshold, threshold),
    safeNonce: contractAnswer(asked.safeNonce, safeNonce),
    safeModules: contractAnswer(asked.safeModules, safeModules),
    validators: contractAnswer(asked.validators, validators),
    executors: contractAnswer(asked.executors, executors),
    hook: contractAnswer(asked.hook, hook),
    entryPoint: contractAnswer(asked.entryPoint, entryPoint)
  })
})

/** What its chain holds of it. */
const stateReads = (session: ChainSession, { blockHash: at, blockNumber }: Evidence, wallet: Address) =>
  Effect.map(
    session.all([
      ...([code(wallet, at), setUpLogs(wallet, BigInt(blockNumber))] as const),
      installationLogs(wallet, BigInt(blockNumber)),
      ...([storageWord(wallet, SINGLETON_SLOT, at), storageWord(wallet, HANDLER_SLOT, at)] as const),
      storageWord(wallet, GUARD_SLOT, at)
    ]),
    ([found, setUp, installed, singleton, handler, transactionGuard]) => ({
      ...{ code: found, setUp, installed },
      ...{ singleton, handler, transactionGuard }
    })
  )

const nonceReads = Effect.fnUntraced(function* (
  session: ChainSession,
  at: Bytes32,
  manifest: SmartManifest,
  wallet: Address
) {
  const { guard } = manifest.pins
  const validators = [ZERO_ADDRESS, ...(guard === undefined ? [] : [guard.address])]
  const asked = validators.map(validator => nonceQuestions(manifest, wallet, validator))
  const outcomes = yield* session.all(
    asked.flatMap(({ counted, adapted }) => [call(counted.request, at), call(adapted.request, at)])
  )
  return yield* Effect.forEach(asked, ({ counted, adapted, key }, index) => {
    const [one, other] = outcomes.slice(2 * index)
    if (one === undefined || other === undefined) return Effect.dieMessage("a nonce got no answer")
    const told = { counted: contractAnswer(counted, one), adapted: contractAnswer(adapted, other) }
    return Effect.all({ ...told, key: Effect.succeed(key) })
  })
})

/** None without a guard. */
const administrationRead = Effect.fnUntraced(function* (
  session: ChainSession,
  at: Bytes32,
  { pins: { guard } }: SmartManifest,
  wallet: Address
) {
  if (guard === undefined) return Option.none()
  const question = administrationQuestion(guard.address, wallet)
  const [outcome] = yield* session.all([call(question.request, at)])
  return yield* contractAnswer(question, outcome)
})

const SIDE_BY_SIDE = { concurrency: "unbounded" } as const

/** With the code of these pins. */
export const walletReads = Effect.fnUntraced(function* (
  session: ChainSession,
  evidence: Evidence,
  manifest: SmartManifest,
  wallet: Address,
  pins: ReadonlyArray<NamedPin>
) {
  const at = evidence.blockHash
  const [state, told, nonces, administration, codes] = yield* Effect.all(
    [
      stateReads(session, evidence, wallet),
      toldReads(session, at, wallet),
      nonceReads(session, at, manifest, wallet),
      administrationRead(session, at, manifest, wallet),
      session.all(pins.map(pin => code(pin.address, at)))
    ],
    SIDE_BY_SIDE
  )
  const pinned = pins.map((pin, index) => ({ ...pin, code: codes[index] ?? "0x" }))
  return { ...state, ...told, nonces, administration, pinned }
})

export type WalletFindings = Effect.Effect.Success<ReturnType<typeof walletReads>>
