/** What an inspection asks of a wallet and of the contracts that it stands on; all of it travels in one round trip. */
import { Effect, Either, Option, Schema } from "effect"
import type { CallOutcome, CallRequest, ChainSession, Read } from "../chain/ChainClient.ts"
import { call, code, storageWord } from "../chain/PinnedReads.ts"
import type { RpcFailure } from "../chain/refusals.ts"
import { decodeValues } from "../protocol/AbiValues.ts"
import { invocation, nodeRefused } from "../protocol/Answers.ts"
import type { Evidence } from "../values/Evidence.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import { Address, Bytes32, Uint256, ZERO_ADDRESS } from "../values/Scalars.ts"
import { pinsOf, type SmartManifest } from "./Manifest.ts"
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

export const walletReads = Effect.fnUntraced(function* (
  session: ChainSession,
  { blockHash: at, blockNumber }: Evidence,
  manifest: SmartManifest,
  wallet: Address
) {
  const ask = <A>(read: Read<A>) => Effect.map(session.all([read]), ([answer]) => answer)
  const put = <A, I>(question: Question<A, I>) =>
    Effect.flatMap(ask(call(question.request, at)), outcome => contractAnswer(question, outcome))
  const guard = manifest.pins.guard?.address
  const validators = guard === undefined ? [ZERO_ADDRESS] : [ZERO_ADDRESS, guard]
  const nonceOf = (validator: Address) => {
    const { counted, adapted, key } = nonceQuestions(manifest, wallet, validator)
    return Effect.all(
      { counted: put(counted), adapted: put(adapted), key: Effect.succeed(key) },
      SIDE_BY_SIDE
    )
  }
  return yield* Effect.all(
    {
      code: ask(code(wallet, at)),
      setUp: ask(setUpLogs(wallet, BigInt(blockNumber))),
      installed: ask(installationLogs(wallet, BigInt(blockNumber))),
      pinned: Effect.forEach(
        pinsOf(manifest),
        pin => Effect.map(ask(code(pin.address, at)), found => ({ ...pin, code: found })),
        SIDE_BY_SIDE
      ),
      singleton: ask(storageWord(wallet, SINGLETON_SLOT, at)),
      handler: ask(storageWord(wallet, HANDLER_SLOT, at)),
      transactionGuard: ask(storageWord(wallet, GUARD_SLOT, at)),
      version: put({ request: invocation(wallet, "VERSION()"), outputs: ["string"], as: Schema.String }),
      owners: put({
        request: invocation(wallet, "getOwners()"),
        outputs: ["address[]"],
        as: Schema.Array(Address)
      }),
      threshold: put(numberQuestion(invocation(wallet, "getThreshold()"))),
      safeNonce: put(numberQuestion(invocation(wallet, "nonce()"))),
      safeModules: put(pageQuestion(wallet, "getModulesPaginated")),
      validators: put(pageQuestion(wallet, "getValidatorsPaginated")),
      executors: put(pageQuestion(wallet, "getExecutorsPaginated")),
      hook: put(addressQuestion(wallet, "getActiveHook()")),
      entryPoint: put(addressQuestion(wallet, "entryPoint()")),
      nonces: Effect.forEach(validators, nonceOf, SIDE_BY_SIDE),
      administration: guard === undefined ? Effect.succeedNone : put(administrationQuestion(guard, wallet))
    },
    SIDE_BY_SIDE
  )
})

const SIDE_BY_SIDE = { concurrency: "unbounded" } as const

export type WalletFindings = Effect.Effect.Success<ReturnType<typeof walletReads>>
