/** A service to which anybody's intents are posted by one enrolled owner. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { assert } from "vitest"
import { enroll } from "../../support/Bots.ts"
import { startService } from "../../support/Service.ts"
import { newOwner, signedFetch } from "../../support/SignedFetch.ts"
import { type Draft, draftOf, signedBy } from "./Drafts.ts"

export const newKey = () => privateKeyToAccount(generatePrivateKey())

export const named = (name: string, over: Partial<Draft> = {}) => draftOf({ jb: { name }, ...over })

export const startPublications = async () => {
  const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }
  const service = await startService({ settings: { quotas } })
  const owner = newOwner()
  assert.strictEqual((await enroll(service, owner)).status, 200)

  const post = (body: unknown, party = owner) =>
    signedFetch(service, party, "POST", "/api/v1/intents", { body })

  const publish = async (draft: Draft, key = newKey(), party = owner) => {
    const answer = await post(await signedBy(key, draft), party)
    assert.strictEqual(answer.status, 201, await answer.clone().text())
    return { key, answer, intent: await answer.json() }
  }

  return { service, owner, post, publish }
}

export type Publications = Awaited<ReturnType<typeof startPublications>>
