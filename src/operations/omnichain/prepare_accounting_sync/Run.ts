import { Effect, Either, Option, Schema } from "effect"
import type { PinnedSnapshot, ReadFailure } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { Address, Uint256, ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import { AT_ONCE } from "../../shared/context/Core.ts"
import { NoVerifiedTransportValue, UnknownSuckerTransport } from "../refusals.ts"
import { readSucker, type SuckerContract } from "../Sucker.ts"
import { prepareAccountingSync } from "./Declaration.ts"
import { prepareAccountingSyncEffects } from "./Effects.ts"
import { allCandidates, candidateValues, type TransportKind } from "./TransportValue.ts"

type Input = typeof prepareAccountingSync.input.Type

const SYNC = "syncAccountingData()"

const WARNINGS = [
  "A receipt on this chain proves that the accounts were sent. It does not prove that they arrived on the other.",
  "What the transport and the protocol charge may change before the transaction is mined; then it may revert.",
  "What becomes of value above the charge depends on the transport: it may be returned, kept for a later claim, or spent."
]

interface Facts {
  readonly suckerContract: SuckerContract
  readonly value: bigint
}

export const accountingSyncCalls = (
  { project, sucker }: Input,
  { suckerContract, value }: Facts
): ReadonlyArray<PlannedCall<typeof prepareAccountingSyncEffects>> => [
  {
    contract: suckerContract,
    address: sucker,
    function: SYNC,
    args: [],
    value,
    label: `Send the accounts of project ${project.projectId} to the sucker's peer`
  }
]

/** A sucker has the getters of its own transport alone: that another's fails is an answer. */
const probe = (getter: Effect.Effect<Address, ReadFailure>) =>
  getter.pipe(
    Effect.catchTags({
      CALL_REVERTED: () => Effect.succeed(ZERO_ADDRESS),
      DEPLOYMENT_CODE_MISSING: () => Effect.succeed(ZERO_ADDRESS)
    }),
    Effect.map(address => address !== ZERO_ADDRESS)
  )

const readTransport = Effect.fnUntraced(function* ({ readAt }: PinnedSnapshot, sucker: Address) {
  const answers = yield* Effect.all(
    {
      ccip: probe(readAt("JBCCIPSucker", sucker, "CCIP_ROUTER", [], Address)),
      messenger: probe(readAt("JBOptimismSucker", sucker, "OPMESSENGER", [], Address)),
      inbox: probe(readAt("JBArbitrumSucker", sucker, "ARBINBOX", [], Address)),
      gateway: probe(readAt("JBArbitrumSucker", sucker, "GATEWAYROUTER", [], Address))
    },
    AT_ONCE
  )
  const kind: TransportKind | undefined = answers.ccip
    ? "ccip"
    : answers.messenger || answers.inbox || answers.gateway
      ? "native"
      : undefined
  return kind ?? (yield* new UnknownSuckerTransport({ context: { sucker } }))
})

interface Tried {
  readonly value: bigint
  readonly outcome: Either.Either<unknown, ReadFailure>
}

const tryEach = (snapshot: PinnedSnapshot, { account, maxTransportValue, sucker }: Input) =>
  Effect.forEach(
    allCandidates(BigInt(maxTransportValue)),
    value =>
      Effect.map(
        Effect.either(
          snapshot.simulate(
            {
              contract: "JBSucker",
              address: sucker,
              function: "syncAccountingData",
              args: [],
              from: account,
              value
            },
            Schema.Undefined
          )
        ),
        (outcome): Tried => ({ value, outcome })
      ),
    AT_ONCE
  )

/** A revert says that the value does not do. Anything else says nothing, unless the wallet is known to have less. */
const choose = (
  tried: ReadonlyArray<Tried>,
  values: ReadonlyArray<bigint>,
  balance: bigint | undefined
): Either.Either<bigint, ReadFailure | NoVerifiedTransportValue> => {
  for (const value of values) {
    const outcome = tried.find(each => each.value === value)?.outcome
    if (outcome === undefined) continue
    if (Either.isRight(outcome)) return Either.right(value)
    if (outcome.left._tag !== "CALL_REVERTED" && (balance === undefined || value <= balance))
      return Either.left(outcome.left)
  }
  return Either.left(
    new NoVerifiedTransportValue({
      context: {
        values: values.map(String),
        ...(balance === undefined ? {} : { balance: String(balance) })
      }
    })
  )
}

export const runPrepareAccountingSync = definePlan(
  prepareAccountingSync,
  prepareAccountingSyncEffects,
  Effect.fnUntraced(function* (input, snapshot) {
    const { account, maxTransportValue, sucker } = input
    const answers = yield* eachAtOnce({
      contract: readSucker(snapshot, input),
      transport: readTransport(snapshot, sucker),
      peerChainId: snapshot.readAt("JBSucker", sucker, "peerChainId", [], Uint256),
      balance: snapshot.balance(account),
      tried: tryEach(snapshot, input)
    })
    const suckerContract = yield* answers.contract
    const transport = yield* answers.transport
    const values = candidateValues(transport, BigInt(maxTransportValue))
    const balance = Option.getOrUndefined(Either.getRight(answers.balance))
    const value = yield* choose(yield* answers.tried, values, balance)
    const peerChainId = yield* answers.peerChainId
    const summary = { sucker, suckerContract, transport, peerChainId, simulatedValue: String(value) }
    return {
      calls: accountingSyncCalls(input, { suckerContract, value }),
      told: Effect.succeed({ summary, warnings: WARNINGS })
    }
  })
)
