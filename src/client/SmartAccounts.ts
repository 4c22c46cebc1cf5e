/** Wallets of several owners: created by anybody, bound to the account by their owners' signatures, and planned for. */
import type { Bytes32, Hex } from "../values/Scalars.ts"
import type { Caller, Keyed } from "./Caller.ts"
import type { CarryMeans } from "./CarryOut.ts"
import { type ChallengeQuestion, checkChallenge } from "./CheckChallenge.ts"
import type { AskedWallet } from "./CheckCreation.ts"
import { checkedPlan } from "./Commitment.ts"
import { endpoints } from "./Endpoints.ts"
import { AlteredPlan } from "./Errors.ts"
import { freshNonce } from "./SignRequest.ts"

const LONGEST_SECONDS = 900
/** For the way there. */
const MARGIN_SECONDS = 30

export interface BindingsQuery {
  /** 1 to 100; 25 when absent. */
  readonly limit?: number
  readonly cursor?: string
}

/** `contract_calls`, or an operation that prepares a plan, with its input, whose account is the wallet's address. */
export interface WalletPlanRequest {
  readonly operation: string
  readonly input: object
}

/** What was asked for in a challenge, and its owners' signatures; see `packSignatures`. */
export interface BindingSubmission extends ChallengeQuestion {
  readonly stateHash: Bytes32
  readonly signature: Hex
}

const bindings = (caller: Caller, { own, system }: CarryMeans) => ({
  /** Links the wallet to the account; the same again gives the stored binding. */
  bind: (body: BindingSubmission) => caller.call(endpoints.createBinding, { body }),
  /** One page, newest first, as they are stored. */
  list: (query: BindingsQuery = {}) => caller.call(endpoints.listBindings, { query: { ...query } }),
  /** The wallet inspected anew. */
  show: (id: string) => caller.call(endpoints.getBinding, { path: { id } }),
  /** From then on nothing more is prepared for it or sent by it. */
  unlink: (id: string) => caller.call(endpoints.deleteBinding, { path: { id } }),
  /** A plan of the wallet's, checked: its owners send it by `userOperations`. The same key gives the stored plan again. */
  createPlan: async (id: string, body: WalletPlanRequest, keyed: Keyed = {}) => {
    const parts = { path: { id }, body }
    const answer = await caller.keyed(endpoints.createWalletPlan, system, keyed, parts)
    const plan = await checkedPlan(answer.body, own)
    if (plan.smartAccount?.bindingId !== id)
      throw new AlteredPlan(id, "it is another's", "plan of the wallet")
    return { plan, ...answer.told }
  }
})

export const smartAccountMethods = (caller: Caller, means: CarryMeans) => {
  const { own, audience, clock, system } = means
  const capabilities = () => caller.call(endpoints.getSmartAccountCapabilities)
  return {
    smartAccounts: {
      /** The manifests of the deployment, and whether each chain has their code. */
      capabilities,
      /** The transaction that creates a wallet, and its address; rejects with `AlteredPlan` where it would have other owners. Stores nothing. */
      planCreation: async (asked: AskedWallet) => {
        const { creation } = await caller.call(endpoints.createCreationPlan, { body: asked })
        const { deployments } = await capabilities()
        const found = deployments.find(({ manifestId }) => manifestId === asked.manifestId)
        if (found?.revision !== creation.manifestRevision)
          throw new AlteredPlan(creation.address, "its manifest differs", "creation of the wallet")
        const { checkCreation } = await import("./CheckCreation.ts")
        checkCreation(asked, found.manifest, creation)
        return creation
      },
      /** What the wallet's owners sign within 15 minutes, checked; what was asked comes back with it, for `bind`. */
      challenge: async ({
        manifestId,
        address,
        nonce = freshNonce(system),
        expiresAt = clock.seconds() + LONGEST_SECONDS - MARGIN_SECONDS
      }: Pick<ChallengeQuestion, "manifestId" | "address"> & Partial<ChallengeQuestion>) => {
        const asked = { manifestId, address, nonce, expiresAt }
        const challenge = await caller.call(endpoints.createBindingChallenge, { body: asked })
        await checkChallenge({ client: { account: own.accountId, audience }, asked, challenge })
        return { ...challenge, asked }
      },
      ...bindings(caller, means)
    }
  }
}
