/** The codes of smart accounts. */
import { entry } from "./ProblemEntry.ts"

export const smartAccountProblems = {
  SMART_ACCOUNTS_UNAVAILABLE: entry(503, "No manifest of smart accounts is configured.", false),
  MANIFEST_NOT_FOUND: entry(404, "There is no manifest of this id."),
  SMART_ACCOUNT_UNSUPPORTED: entry(
    422,
    "The wallet, or what it stands on, is not as its manifest says; context.check names what differs."
  ),
  SMART_ACCOUNT_UNDEPLOYED: entry(422, "There is no code at the wallet's address; create the wallet first."),
  SMART_ACCOUNT_ALREADY_DEPLOYED: entry(
    409,
    "There is code at the address that the new wallet would have; take another salt nonce."
  ),
  SMART_OWNER_NOT_MEMBER: entry(403, "The account's owner is not one of the wallet's owners.")
} as const
