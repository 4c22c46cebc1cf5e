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
  SMART_OWNER_NOT_MEMBER: entry(403, "The account's owner is not one of the wallet's owners."),
  SMART_ACCOUNT_CHANGED: entry(
    409,
    "The wallet is not in the state that its owners signed for, or was bound in another since; context.check says what differs. Ask for a new challenge and bind it anew."
  ),
  INVALID_OWNER_SIGNATURES: entry(
    400,
    "The signatures are not 65 bytes for each of as many owners as the wallet's threshold, with a low s and v 27 or 28, in the ascending order of the owners' addresses; context.fault says which of it fails."
  ),
  OWNER_SIGNATURES_MISMATCH: entry(
    403,
    "A signature is not by one of the wallet's owners as they are now, or is of another challenge; context.position says which."
  ),
  BINDING_NOT_FOUND: entry(404, "The account has no such binding."),
  BINDING_EXPIRED: entry(409, "The challenge has run out; ask for a new one."),
  BINDING_NONCE_REUSED: entry(409, "The nonce was used for another challenge; take a new one."),
  BINDING_REVOKED: entry(
    409,
    "What the owners signed bound the wallet before, and that was ended; ask for a new challenge."
  ),
  CALL_CHAIN_MISMATCH: entry(422, "A call is not on the wallet's chain; context says which.")
} as const
