/** What suckers do on their own chain; nothing of it proves what happens on the other. */
import { Either, Schema } from "effect"
import type { RawLog } from "../chain/ChainClient.ts"
import { SUCKER, SUCKERS } from "./Contracts.ts"
import type { Emitter } from "./Events.ts"
import { doubted, exactlyOne, is, none } from "./Judgement.ts"
import { predicate } from "./Predicate.ts"

const Claim = Schema.Struct({
  token: Schema.String,
  leaf: Schema.Struct({
    index: Schema.String,
    beneficiary: Schema.String,
    projectTokenCount: Schema.String,
    terminalTokenAmount: Schema.String,
    metadata: Schema.String
  })
})

const CLAIM = "(address,(uint256,bytes32,uint256,uint256,bytes32),bytes32[32])"

const claimed = (
  logs: ReadonlyArray<RawLog>,
  emitter: Emitter,
  { token, leaf: { index, ...leaf } }: typeof Claim.Type,
  caller: string
) =>
  exactlyOne(logs, {
    emitter,
    event: "Claimed",
    about: { token, index, caller },
    says: {
      beneficiary: is(leaf.beneficiary),
      projectTokenCount: is(leaf.projectTokenCount),
      terminalTokenAmount: is(leaf.terminalTokenAmount),
      metadata: is(leaf.metadata)
    },
    shows: ["beneficiary", "token", "projectTokenCount", "terminalTokenAmount", "index"]
  })

const everySucker = { contractId: SUCKER, kin: SUCKERS, target: "planned" } as const

export const claim = predicate({
  ...everySucker,
  name: "bridge_claim",
  signature: `claim(${CLAIM})`,
  args: Schema.Struct({ claimData: Claim }),
  judge: ({ args, account, target, logs }) =>
    Either.map(claimed(logs, target, args.claimData, account), event => [event])
})

/** The sucker calls itself for each claim, and goes on where one fails. */
export const claimEach = predicate({
  ...everySucker,
  name: "bridge_claims",
  signature: `claim(${CLAIM}[])`,
  args: Schema.Struct({ claims: Schema.Array(Claim) }),
  judge: ({ args: { claims }, target, logs }) =>
    claims.length === 0
      ? doubted("the call claims nothing")
      : Either.all(
          claims.map(each => {
            const about = { token: each.token, index: each.leaf.index }
            const failure = { emitter: target, event: "ClaimFailed", about }
            return Either.flatMap(none(logs, failure, "a claim failed"), () =>
              claimed(logs, target, each, target.address)
            )
          })
        )
})

/** Sources count time in seconds in the high half, and what they told before in the low one. */
const COUNTER_BITS = 128n

const timeOf = (sourceTimestamp: unknown): bigint => BigInt(String(sourceTimestamp)) >> COUNTER_BITS

export const syncAccounting = predicate({
  ...everySucker,
  name: "sync_accounting",
  signature: "syncAccountingData()",
  args: Schema.Struct({}),
  judge: ({ account, target, logs }) =>
    Either.map(
      exactlyOne(logs, {
        emitter: target,
        event: "AccountingDataSynced",
        about: { caller: account },
        says: { sourceTimestamp: value => timeOf(value) > 0n },
        shows: ["sourceTimestamp"]
      }),
      event => [{ ...event, sourceTime: String(timeOf(event.sourceTimestamp)) }]
    )
})
