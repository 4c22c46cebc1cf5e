/** The key of a tab, from the tab's salt and one signature of the owner's wallet, and what the tab does with it. */
import { createClient } from "../../client/Client.ts"
import { signPayload } from "../../client/Signer.ts"
import { partsOfAccount } from "../../client/SignRequest.ts"
import type { ReviewRow } from "../../review/Words.ts"
import { consoleKeyFrom, consoleKeyTypedData } from "../../values/ConsoleKey.ts"
import type { Bytes32 } from "../../values/Scalars.ts"
import type { Desk, TabGrant } from "../Desk.ts"
import { forgetKeys, type KeptKey, keyText } from "../KeptKeys.ts"
import { type TabKey, tabKeyOf } from "./TabKey.ts"

/** The wallet is asked once. */
export const askForKey = async (
  desk: Desk,
  salt: Bytes32,
  about: ReadonlyArray<ReviewRow>
): Promise<TabKey> => {
  const { account } = desk.owner
  const audience = await desk.owner.audience()
  const { chainId } = partsOfAccount(account)
  const asked = consoleKeyTypedData({ audience, accountId: account, chainId }, salt)
  const signature = await desk.about(about, ({ signer }) => signPayload(signer, asked))
  return tabKeyOf(consoleKeyFrom(salt, signature))
}

/** A grant that is no longer active is refused as any stranger is; other refusals say nothing of it. */
const isStranger = async (response: Response): Promise<boolean> => {
  if (response.status !== 403) return false
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return Object(problem).code === "FORBIDDEN"
}

const noticing =
  (ended: () => void): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (await isStranger(response)) ended()
    return response
  }

export const grantOf = async (desk: Desk, key: TabKey, kept: KeptKey): Promise<TabGrant> => {
  const { owner } = desk
  const { grantId, expiresAt } = kept
  const client = createClient({
    baseUrl: location.origin,
    audience: await owner.audience(),
    account: owner.account,
    signer: key.signer,
    grantId,
    fetch: noticing(() => {
      if (desk.grant?.grantId === grantId) desk.leave("ended")
    })
  })
  const forget = (isOver: boolean) => {
    key.forget()
    if (isOver) forgetKeys(({ salt }) => salt === kept.salt)
  }
  return { client, grantId, expiresAt, kept: keyText(kept), forget }
}
