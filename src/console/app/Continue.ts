/** Going on with what a tab left behind: the wallet's signature and the salt that was kept make the tab's key again. */
import { ServiceProblem } from "../../client/Errors.ts"
import { row, words } from "../../review/Words.ts"
import type { Desk } from "../Desk.ts"
import { FailureTold } from "../Failures.ts"
import { forgetKeys, type KeptKey } from "../KeptKeys.ts"
import { askForKey, grantOf } from "./OwnKey.ts"

const WHY = [
  row("why", words("to go on with what your wallet sent before this page was closed")),
  row(
    "then",
    words("this tab acts again with the rights that you gave it, until they end as they would have")
  )
]

const ELSE =
  "Do not send the transaction again. Read the plan, and this page follows it through the wallet's node."

const OTHER_KEY = {
  title: "This is not the key that the tab had",
  advice: `The wallet signs the same message differently each time, as wallets of several parties do, or what this browser kept was changed. ${ELSE}`,
  rows: []
}

const ENDED = {
  title: "The rights of the key have ended",
  advice: `They ran out or were revoked, so the service follows nothing for it any more. ${ELSE}`,
  rows: []
}

const ENDS = ["FORBIDDEN", "PLAN_NOT_FOUND"]

const isEnded = (failure: unknown): boolean =>
  failure instanceof ServiceProblem && ENDS.includes(failure.code)

/** Signed in again, once the service shows the plan to who prepared it. */
export const continueWith = async (desk: Desk, planId: string, kept: KeptKey): Promise<void> => {
  await desk.owner.audience()
  if (kept.expiresAt <= desk.owner.clock.seconds()) throw new FailureTold(ENDED)
  const key = await askForKey(desk, kept.salt, WHY)
  if (key.signer.address !== kept.address) throw new FailureTold(OTHER_KEY)
  const grant = await grantOf(desk, key, kept)
  await grant.client.plans.show(planId).catch((failure: unknown) => {
    key.forget()
    if (!isEnded(failure)) throw failure
    forgetKeys(({ salt }) => salt === kept.salt)
    throw new FailureTold(ENDED)
  })
  desk.enter(grant)
}
