/** Whether signed requests would be executed now: all that they rest on is as it was, and each runs, at one head of its chain. */
import { Effect, Option, Schema } from "effect"
import { atSteadyHead, notedSnapshot } from "../chain/AtSteadyHead.ts"
import { believingReverts } from "../chain/BelievedRevert.ts"
import { call as callAt } from "../chain/PinnedReads.ts"
import type { Call } from "../plans/Plan.ts"
import { nodeRefused } from "../protocol/Answers.ts"
import { PinnedContracts, type PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { eachAtOnce } from "../values/EachAtOnce.ts"
import { forEachAtOnce } from "../values/ForEachAtOnce.ts"
import { executeCalldata, outerGas, verifyCalldata } from "../values/ForwardRequest.ts"
import type { Address } from "../values/Scalars.ts"
import { forwarderAt, theForwarder } from "./ForwarderAt.ts"
import { runCalls } from "./RunCalls.ts"
import { ForwardRequestChanged, ForwardRequestExpired } from "./refusals.ts"
import type { Authorization } from "./Sponsorship.ts"
import { trustingTargets } from "./TrustingTarget.ts"

const MARGIN_SECONDS = 30n

export interface SignedForwardRequest {
  readonly authorization: Authorization
  readonly signature: string
  readonly call: Call
}

const changed = (check: string, stepIndex?: number) =>
  new ForwardRequestChanged({ context: { check, ...(stepIndex === undefined ? {} : { stepIndex }) } })

const isTrue = Schema.is(Schema.Literal(`0x${"1".padStart(64, "0")}`))

/** By the forwarder's own word; an error of the node is none. */
export const checkVerified = Effect.fnUntraced(function* (
  { ask, block }: Pick<PinnedSnapshot, "ask" | "block">,
  { forwarder, message, stepIndex }: Pick<Authorization, "forwarder" | "message" | "stepIndex">,
  signature: string
) {
  const told = yield* ask(callAt({ to: forwarder, data: verifyCalldata(message, signature) }, block.hash))
  if (told._tag === "Refused") return yield* nodeRefused(told.code)
  if (told._tag !== "Returned" || !isTrue(told.data)) return yield* changed("verify", stepIndex)
})

const executions = (requests: ReadonlyArray<SignedForwardRequest>, wallet: Address) =>
  requests.map(({ authorization: { forwarder, message }, signature, call }) => ({
    call,
    request: {
      from: wallet,
      to: forwarder,
      data: executeCalldata(message, signature),
      value: BigInt(message.value),
      gas: outerGas(message)
    }
  }))

/** What requests of one chain rest on, where it is as it was. */
const checkUnchanged = Effect.fnUntraced(
  function* (snapshot: PinnedSnapshot, authorizations: ReadonlyArray<Authorization>, wallet: Address) {
    const deployed = yield* theForwarder(snapshot)
    const targets = authorizations.map(({ stepIndex, message: { to } }) => ({ stepIndex, to }))
    const [found, trusting] = yield* eachAtOnce([
      forwarderAt(snapshot, deployed, wallet),
      trustingTargets(snapshot, targets, deployed.address)
    ])
    const { domain, forwarderCodeHash, nonce } = yield* found
    const codes = yield* trusting
    yield* Effect.forEach(authorizations, (given, position) => {
      const { stepIndex } = given
      if (given.forwarderCodeHash !== forwarderCodeHash) return Effect.fail(changed("code", stepIndex))
      if (canonicalJson(given.domain) !== canonicalJson(domain))
        return Effect.fail(changed("domain", stepIndex))
      if (given.targetCodeHash !== codes[position]) return Effect.fail(changed("target", stepIndex))
      return BigInt(given.message.nonce) === nonce + BigInt(position)
        ? Effect.void
        : Effect.fail(changed("nonce", stepIndex))
    })
  },
  Effect.catchTags({
    FORWARDER_UNAVAILABLE: () => Effect.fail(changed("forwarder")),
    FORWARDER_UNVERIFIED: () => Effect.fail(changed("forwarder")),
    FORWARDER_TARGET_UNTRUSTED: () => Effect.fail(changed("trust")),
    FORWARDER_ACCOUNT_UNSUPPORTED: () => Effect.fail(changed("wallet"))
  })
)

const checkTime = ({ block }: PinnedSnapshot, authorizations: ReadonlyArray<Authorization>) => {
  const late = authorizations.find(
    ({ message }) => BigInt(message.deadline) <= block.timestamp + MARGIN_SECONDS
  )
  return late === undefined
    ? Effect.void
    : Effect.fail(new ForwardRequestExpired({ context: { stepIndex: late.stepIndex } }))
}

const checkAt = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  requests: ReadonlyArray<SignedForwardRequest>,
  wallet: Address
) {
  yield* checkTime(
    snapshot,
    requests.map(({ authorization }) => authorization)
  )
  const [unchanged, first, ran] = yield* eachAtOnce([
    checkUnchanged(
      snapshot,
      requests.map(({ authorization }) => authorization),
      wallet
    ),
    Effect.forEach(requests.slice(0, 1), ({ authorization, signature }) =>
      checkVerified(snapshot, authorization, signature)
    ),
    runCalls(snapshot, executions(requests, wallet))
  ])
  yield* unchanged
  yield* first
  yield* ran
})

const checkOn = Effect.fnUntraced(function* (
  chainId: number,
  requests: ReadonlyArray<SignedForwardRequest>,
  wallet: Address
) {
  const { pinned } = yield* PinnedContracts
  const steady = yield* atSteadyHead(chainId, snapshot => checkAt(pinned(snapshot), requests, wallet))
  if (Option.isSome(steady)) return
  const head = Effect.map(notedSnapshot(chainId), pinned)
  yield* believingReverts(yield* head, {
    headOf: ({ block }) => block.hash,
    anew: head,
    run: snapshot => checkAt(snapshot, requests, wallet)
  })
})

export const preflightPublication = Effect.fn("PublicationPreflight.run")(function* (
  requests: ReadonlyArray<SignedForwardRequest>,
  wallet: Address
) {
  yield* forEachAtOnce(new Set(requests.map(({ authorization }) => authorization.chainId)), chainId => {
    const own = requests.filter(({ authorization }) => authorization.chainId === chainId)
    return checkOn(chainId, own, wallet)
  })
})

/** Whether all that published requests rest on is as it was, and none was executed. */
export const checkCurrent = (authorizations: ReadonlyArray<Authorization>, wallet: Address) =>
  forEachAtOnce(
    new Set(authorizations.map(({ chainId }) => chainId)),
    Effect.fnUntraced(function* (chainId: number) {
      const own = authorizations.filter(authorization => authorization.chainId === chainId)
      const snapshot = yield* (yield* PinnedContracts).snapshotOf(chainId)
      yield* checkTime(snapshot, own)
      yield* checkUnchanged(snapshot, own, wallet)
    })
  )
