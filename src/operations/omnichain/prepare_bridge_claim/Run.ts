import { Effect, Schema } from "effect"
import { Inbox } from "../../../projects/BridgeSchemas.ts"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { Bytes32 } from "../../../values/Scalars.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import { simulated } from "../../payments/Previews.ts"
import { ClaimAlreadyExecuted, ClaimBeneficiaryMismatch } from "../refusals.ts"
import { readSucker, type SuckerContract } from "../Sucker.ts"
import { prepareBridgeClaim } from "./Declaration.ts"
import { prepareBridgeClaimEffects } from "./Effects.ts"
import { leafHash, proofRoot } from "./MerkleProof.ts"

type Input = typeof prepareBridgeClaim.input.Type

const CLAIM = "claim((address,(uint256,bytes32,uint256,uint256,bytes32),bytes32[32]))"
const MOST_GAS = 10_000_000n
const NOT_EXECUTED = `0x${"0".repeat(64)}`

const WARNINGS = [
  "Anyone may execute this claim for its beneficiary; if somebody else does first, the transaction reverts.",
  "The claim mints project tokens to the beneficiary and adds the bridged amount to the project's balance; it pays nothing out.",
  "What the leaf says was decided on the other chain and cannot be changed here."
]

const OLDER_ROOT =
  "The proof leads to an earlier root than the inbox has now. The sucker keeps a few recent roots alone, so that further messages may make the proof useless: build it anew for the current root if this happens."

const padded = (address: string): string => `0x${"0".repeat(24)}${address.slice(2).toLowerCase()}`

interface Facts {
  readonly suckerContract: SuckerContract
}

export const bridgeClaimCalls = (
  { claim, project, sucker }: Input,
  { suckerContract }: Facts
): ReadonlyArray<PlannedCall<typeof prepareBridgeClaimEffects>> => [
  {
    contract: suckerContract,
    address: sucker,
    function: CLAIM,
    args: [{ token: claim.token, leaf: claim.leaf, proof: claim.proof }],
    label: `Claim bridged tokens of project ${project.projectId}`
  }
]

const readClaim = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, input: Input) {
  const { account, claim, sucker } = input
  const { index, beneficiary } = claim.leaf
  if (beneficiary !== padded(account))
    return yield* new ClaimBeneficiaryMismatch({ context: { beneficiary, account } })
  const answers = yield* eachAtOnce({
    contract: readSucker(snapshot, input),
    executed: snapshot.readAt("JBSucker", sucker, "executedLeafHashOf", [claim.token, index], Bytes32),
    inbox: snapshot.readAt("JBSucker", sucker, "inboxOf", [claim.token], Inbox)
  })
  const suckerContract = yield* answers.contract
  if ((yield* answers.executed) !== NOT_EXECUTED)
    return yield* new ClaimAlreadyExecuted({ context: { token: claim.token, index } })
  return { suckerContract, inbox: yield* answers.inbox }
})

/** The contract knows recent roots that it does not show, so that it has the last word on the proof. */
const proved = (
  snapshot: PinnedSnapshot,
  { account, claim, sucker }: Input,
  suckerContract: SuckerContract
) => {
  const args = [{ token: claim.token, leaf: claim.leaf, proof: claim.proof }]
  const call = { contract: suckerContract, address: sucker, function: CLAIM, args, from: account } as const
  return simulated(snapshot.simulate({ ...call, gas: MOST_GAS }, Schema.Undefined))
}

export const runPrepareBridgeClaim = definePlan(
  prepareBridgeClaim,
  prepareBridgeClaimEffects,
  Effect.fnUntraced(function* (input, snapshot) {
    const { inbox, suckerContract } = yield* readClaim(snapshot, input)
    const { leaf, proof } = input.claim
    const computedRoot = proofRoot(leaf, proof)
    const isCurrent = computedRoot === inbox.root
    const summary = {
      sucker: input.sucker,
      suckerContract,
      leafHash: leafHash(leaf),
      computedRoot,
      currentInboxRoot: inbox.root,
      inboxNonce: inbox.nonce,
      matchesCurrentInboxRoot: isCurrent
    }
    return {
      calls: bridgeClaimCalls(input, { suckerContract }),
      told: Effect.as(proved(snapshot, input, suckerContract), {
        summary,
        warnings: isCurrent ? WARNINGS : [...WARNINGS, OLDER_ROOT]
      })
    }
  })
)
