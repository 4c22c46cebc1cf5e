/** What an owner is asked to sign, for a person: whichever of the two it is. */
import type { PublicClient } from "../client/Client.ts"
import { partsOfAccount } from "../client/SignRequest.ts"
import type { Capabilities } from "../http/api/Capabilities.ts"
import { stateHash } from "../smartaccounts/StateHash.ts"
import { reviewAction } from "./ActionReview.ts"
import { BINDING_MEANS, bindingSentence, ownerRows, stateRows } from "./BindingRows.ts"
import type { CallReview } from "./CallReview.ts"
import { chainNames, chainTitle } from "./ChainName.ts"
import { contractsOf } from "./GatherFacts.ts"
import { operationRows, wholeOperation } from "./OperationRows.ts"
import type { ActionRequest, BindingRequest, OwnerRequest } from "./OwnerRequest.ts"
import { distanceText, instantText } from "./Times.ts"
import { exact, type Piece, type ReviewRow, row, words } from "./Words.ts"

export interface AskedReview {
  readonly sentence: ReadonlyArray<Piece>
  readonly means: string
  /** None where a wallet is bound. */
  readonly calls: ReadonlyArray<CallReview>
  readonly rows: ReadonlyArray<ReviewRow>
  readonly whole: ReadonlyArray<ReviewRow>
  readonly dangers: ReadonlyArray<string>
  readonly wallet: { readonly chainId: number; readonly address: `0x${string}` }
  /** Unix seconds. */
  readonly endsAt: number
}

interface Facts {
  readonly client: Pick<PublicClient, "catalog">
  readonly capabilities: Pick<Capabilities, "chains">
  readonly now: number
}

const ACTION_MEANS =
  "Every argument was read from the calldata itself. The wallet does exactly this once enough of its owners signed and somebody sends it; a call that fails takes all of it back."

const actionReview = async (request: ActionRequest, facts: Facts): Promise<AskedReview> => {
  const { adapted, calls, operationHash } = request
  const { chainId, operation, validUntil } = adapted
  const contracts = await contractsOf(facts.client.catalog, { calls })
  return {
    ...reviewAction(request, { contracts, chains: chainNames(facts.capabilities) }),
    means: ACTION_MEANS,
    rows: [...operationRows(adapted, facts.now), row("operation hash", exact(operationHash))],
    whole: wholeOperation(adapted),
    wallet: { chainId, address: operation.sender },
    endsAt: validUntil
  }
}

const bindingDangers = ({ state, challenge }: BindingRequest): ReadonlyArray<string> => {
  const isOfAccount = partsOfAccount(challenge.accountId).owner === challenge.owner.toLowerCase()
  return [
    ...(stateHash(state) === challenge.stateHash
      ? []
      : ["the wallet is bound in another state than is shown"]),
    ...(isOfAccount && state.owners.includes(challenge.owner)
      ? []
      : ["the account is not one of the wallet's owners"])
  ]
}

const bindingReview = (request: BindingRequest, { capabilities, now }: Facts): AskedReview => {
  const { state, challenge } = request
  const end = challenge.expiresAt * 1000
  return {
    sentence: bindingSentence(state, chainTitle(capabilities, state.chainId), challenge.accountId),
    means: BINDING_MEANS,
    calls: [],
    rows: [
      ...ownerRows(state),
      row("signed before", words(`${instantText(end)}, ${distanceText(end, now)}`))
    ],
    whole: [
      ...stateRows(state),
      row("state hash", exact(challenge.stateHash)),
      row("nonce", exact(challenge.nonce))
    ],
    dangers: bindingDangers(request),
    wallet: state,
    endsAt: challenge.expiresAt
  }
}

export const reviewAsked = async (request: OwnerRequest, facts: Facts): Promise<AskedReview> =>
  request.kind === "operation" ? actionReview(request, facts) : bindingReview(request, facts)
