/** What a receipt proves of a planned call: the installed predicate for it, on logs that are beyond doubt or on its block. */
import { Data, Effect, Either, Option } from "effect"
import { type Abi, selectorOfEntry } from "../catalog/Abi.ts"
import { Catalog, type CatalogShape } from "../catalog/Catalog.ts"
import { type LaterDeployment, laterDeployment } from "../catalog/LaterRollout.ts"
import type { RawLog, Receipt } from "../chain/ChainClient.ts"
import type { Call, Semantic } from "../plans/Plan.ts"
import { decodeValues } from "../protocol/AbiValues.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { Address } from "../values/Scalars.ts"
import { askTarget, type ReadAtBlock } from "./AskTarget.ts"
import { FORWARDER } from "./Contracts.ts"
import type { EventFields } from "./Events.ts"
import { type Forwarded, forwarded } from "./Forwarded.ts"
import type { Refutation, Verdict } from "./Judgement.ts"
import { semanticOf, type ToldEffects } from "./KeptSemantic.ts"
import type { Predicate, PublishedContract, Scene } from "./Predicate.ts"

const MAXIMUM_LOGS = 2_048
const MAXIMUM_LOG_BYTES = 512 * 1024

export interface Effected {
  readonly call: Call
  /** The planned wallet. */
  readonly account: Address
  readonly receipt: Pick<Receipt, "transactionHash" | "blockHash" | "blockNumber">
  readonly logs: ReadonlyArray<RawLog>
  /** Of the plan, as it was prepared. */
  readonly summary?: unknown
  /** A call at the receipt's block, which has to be canonical. */
  readonly read: ReadAtBlock
  /** What the same receipt was judged to be before: it stands while no verdict can be had. */
  readonly before?: Semantic | undefined
  /** Where the canonical forwarder carried the call for the wallet. */
  readonly forwarded?: Forwarded
}

const isOf = ({ transactionHash, blockHash, blockNumber }: Effected["receipt"], log: RawLog): boolean =>
  log.transactionHash === transactionHash &&
  log.blockHash === blockHash &&
  BigInt(log.blockNumber) === blockNumber

const doubt = ({ receipt, logs }: Effected): string | undefined => {
  if (logs.length > MAXIMUM_LOGS) return "the receipt has more logs than are verified"
  if (canonicalJson(logs).length > MAXIMUM_LOG_BYTES)
    return "the receipt's logs are larger than what is verified"
  if (new Set(logs.map(log => BigInt(log.logIndex))).size !== logs.length) return "two logs have one index"
  return logs.every(log => isOf(receipt, log)) ? undefined : "a log names another transaction or block"
}

const byIndex = (a: RawLog, b: RawLog): number => Number(BigInt(a.logIndex) - BigInt(b.logIndex))

const publishedOf = Effect.fnUntraced(function* (catalog: CatalogShape, chainId: number, contractId: string) {
  const found = yield* Effect.forEach(
    catalog.deployments(chainId, contractId),
    ({ address, retired, abiHash }) =>
      Effect.map(Effect.orDie(catalog.abi(abiHash)), (abi): PublishedContract => ({ address, retired, abi }))
  )
  const later = laterDeployment(chainId, contractId.split(":").at(-1) ?? contractId)
  return [contractId, [...found, ...(later === undefined ? [] : [laterOf(later, found)])]] as const
})

/** Its events are those of the generation before; it is never the one in use, which is pinned. */
const laterOf = (
  { address }: LaterDeployment,
  [generation]: ReadonlyArray<PublishedContract>
): PublishedContract => ({
  address,
  retired: true,
  abi: generation?.abi ?? []
})

interface Known {
  readonly abi: Abi
  readonly args: EventFields
}

const presentAbi = Effect.fnUntraced(function* (catalog: CatalogShape, { chainId, to, decoded }: Call) {
  const there = Option.getOrUndefined(catalog.deploymentAt(chainId, to))
  if (there?.contractId === decoded.contractId) return there.abiHash
  return (yield* catalog.declaration(decoded.contractId)).abiHash ?? decoded.abiHash
})

/** Reads the calldata, which is what was signed, by the ABI that the plan names or, where the catalog lost that, by its contract's present one. */
const known = Effect.fnUntraced(
  function* (catalog: CatalogShape, call: Call) {
    const { data, decoded } = call
    const named = Effect.as(catalog.abi(decoded.abiHash), decoded.abiHash)
    const abiHash = yield* Effect.orElse(named, () => presentAbi(catalog, call))
    const abi = yield* catalog.abi(abiHash)
    const entry = (yield* catalog.functions(abiHash)).get(decoded.function)
    if (entry === undefined || selectorOfEntry(entry) !== data.slice(0, 10)) return Option.none<Known>()
    return Option.map(Either.getRight(decodeValues(entry.inputs, `0x${data.slice(10)}`)), values => ({
      abi,
      args: Object.fromEntries(entry.inputs.map(({ name }, index) => [name, values[index]]))
    }))
  },
  Effect.orElseSucceed(Option.none<Known>)
)

const isCanonical = (catalog: CatalogShape, { target }: Predicate, { chainId, to, decoded }: Call): boolean =>
  target === "planned" ||
  Option.exists(catalog.deploymentAt(chainId, to), ({ contractId }) => contractId === decoded.contractId)

const told = (events: ReadonlyArray<EventFields>): ToldEffects => ({ events })
const toldByState = (reason: string): ToldEffects => ({ events: [], reason })

/** What a verdict rests on cannot be had now, which proves nothing and disproves nothing. */
class Unread extends Data.TaggedError("Unread")<{ readonly reason: string }> {}

const judged = Effect.fnUntraced(function* (
  catalog: CatalogShape,
  predicate: Predicate,
  { call, summary, account, logs, read: readAtBlock }: Effected
) {
  if (!isCanonical(catalog, predicate, call))
    return yield* new Unread({ reason: "the catalog does not have the target on its chain" })
  const read = yield* known(catalog, call)
  if (Option.isNone(read)) return yield* new Unread({ reason: "the catalog cannot read the calldata" })
  const { abi, args } = read.value
  const witnesses = new Map(
    yield* Effect.forEach(predicate.witnesses, id => publishedOf(catalog, call.chainId, id))
  )
  const scene: Scene<EventFields> = {
    args,
    chainId: call.chainId,
    value: call.value,
    account,
    target: { address: call.to, abi },
    summary,
    logs: [...logs].sort(byIndex),
    published: id => witnesses.get(id) ?? []
  }
  const question = predicate.asks(scene)
  if (Option.isNone(question)) return Either.map(predicate.judge(scene), told)
  const answer = yield* Effect.mapError(
    askTarget(scene.target, question.value, readAtBlock),
    () => new Unread({ reason: "no event tells of it, and its block could not be read" })
  )
  return Either.map(answer, toldByState)
})

const carried = Effect.fnUntraced(function* (catalog: CatalogShape, effected: Effected) {
  if (effected.forwarded === undefined) return Option.none<Refutation>()
  const [, forwarders] = yield* publishedOf(catalog, effected.call.chainId, FORWARDER)
  const verdict: Verdict<unknown> = forwarded(effected.forwarded, effected.account, forwarders, effected.logs)
  return Either.getLeft(verdict)
})

/** Two predicates for one call: which of them proves it would be chance. */
export class TwoPredicates extends Data.TaggedError("TwoPredicates")<{ readonly message: string }> {}

const callsOf = ({ contractId, kin, signature }: Predicate): ReadonlyArray<string> =>
  [contractId, ...kin].map(id => `${id} ${signature}`)

const byCallOf = (predicates: ReadonlyArray<Predicate>) => {
  const pairs = predicates.flatMap(each => callsOf(each).map(call => [call, each] as const))
  const byCall = new Map(pairs)
  const [twice] = pairs.find(([call, each]) => byCall.get(call) !== each) ?? []
  return twice === undefined
    ? Either.right(byCall)
    : Either.left(new TwoPredicates({ message: `There are two predicates for ${twice}.` }))
}

/** Where no verdict can be had now, what was found before stands. */
const unproved = ({ before }: Effected, verifier: string, reason: string): Semantic =>
  before ?? { status: "unknown", verifier, reason }

/** A predicate's mistake, which proves nothing and keeps nothing else of the step from being told. */
const mistaken = (effected: Effected, verifier: string) => (defect: unknown) =>
  Effect.as(
    Effect.annotateLogs(Effect.logError("a predicate failed", defect), { verifier }),
    unproved(effected, verifier, "its predicate failed")
  )

/** By a process that has a predicate for it: one of a newer edition, or with a team's own. */
const judgedElsewhere = ({ before }: Effected): Semantic | undefined =>
  before?.verifier === undefined ? undefined : before

const verifier = (byCall: ReadonlyMap<string, Predicate>) =>
  Effect.fn("Semantics.verify")(function* (effected: Effected) {
    const reason = doubt(effected)
    if (reason !== undefined) return { status: "unknown", reason } satisfies Semantic
    const catalog = yield* Catalog
    const stopped = yield* carried(catalog, effected)
    if (Option.isSome(stopped)) return semanticOf("forwarder", Either.left(stopped.value))
    const { contractId, function: signature } = effected.call.decoded
    const predicate = byCall.get(`${contractId} ${signature}`)
    if (predicate === undefined)
      return judgedElsewhere(effected) ?? ({ status: "unmodeled" } satisfies Semantic)
    return yield* Effect.match(judged(catalog, predicate, effected), {
      onFailure: ({ reason: why }) => unproved(effected, predicate.name, why),
      onSuccess: proof => semanticOf(predicate.name, proof)
    }).pipe(Effect.catchAllDefect(mistaken(effected, predicate.name)))
  })

export type VerifyEffects = ReturnType<typeof verifier>

export const verifierOf = (
  predicates: ReadonlyArray<Predicate>
): Either.Either<VerifyEffects, TwoPredicates> => Either.map(byCallOf(predicates), verifier)
