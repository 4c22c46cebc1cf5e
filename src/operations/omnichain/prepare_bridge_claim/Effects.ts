/** Claims of bridged tokens on the chain that they were bridged to. */

import { Either, Schema } from "effect"
import type { RawLog } from "../../../chain/ChainClient.ts"
import type { Emitter } from "../../../effects/Events.ts"
import { doubted, exactlyOne, is, none } from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { predicate } from "../../../effects/Predicate.ts"
import { everySucker } from "../EverySucker.ts"

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

const claim = predicate({
  ...everySucker,
  name: "bridge_claim",
  signature: `claim(${CLAIM})` as const,
  args: Schema.Struct({ claimData: Claim }),
  judge: ({ args, account, target, logs }) =>
    Either.map(claimed(logs, target, args.claimData, account), event => [event])
})

/** The sucker calls itself for each claim, and goes on where one fails. */
export const claimEach = predicate({
  ...everySucker,
  name: "bridge_claims",
  signature: `claim(${CLAIM}[])` as const,
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

export const prepareBridgeClaimEffects = planEffects({
  "JBOptimismSucker.claim((address,(uint256,bytes32,uint256,uint256,bytes32),bytes32[32]))": claim,
  "JBBaseSucker.claim((address,(uint256,bytes32,uint256,uint256,bytes32),bytes32[32]))": claim,
  "JBArbitrumSucker.claim((address,(uint256,bytes32,uint256,uint256,bytes32),bytes32[32]))": claim,
  "JBCCIPSucker.claim((address,(uint256,bytes32,uint256,uint256,bytes32),bytes32[32]))": claim,
  "JBSucker.claim((address,(uint256,bytes32,uint256,uint256,bytes32),bytes32[32]))": claim
})
