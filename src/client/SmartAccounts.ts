/** Wallets of several owners: created by anybody, bound to the account by their owners' signatures, and planned for. */
import type { Caller } from "./Caller.ts"
import type { CarryMeans } from "./CarryOut.ts"
import { type ChallengeQuestion, checkChallenge } from "./CheckChallenge.ts"
import { type AskedWallet, checkCreation } from "./CheckCreation.ts"
import { endpoints } from "./Endpoints.ts"
import { AlteredPlan } from "./Errors.ts"
import { freshNonce } from "./SignRequest.ts"

const LONGEST_SECONDS = 900
/** For the way there. */
const MARGIN_SECONDS = 30

export const smartAccountMethods = (caller: Caller, { own, audience, clock, system }: CarryMeans) => {
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
      }
    }
  }
}
