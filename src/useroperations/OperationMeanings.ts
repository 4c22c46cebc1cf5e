/** What is said to people of a user operation's states. */
import type { OperationStatus } from "./PublicUserOperation.ts"

export const operationMeanings: Readonly<Record<OperationStatus, string>> = {
  prepared:
    "Have it signed by the wallet's owners, as many as its threshold, or by the key of the session that it names, then submit it: it is sent once, and cannot be called back before it ends.",
  submitting: "It is on its way to the bundler.",
  submission_unknown:
    "Whether a bundler took it is not known. It is never sent again; if it is executed, its chain shows it.",
  pending: "A bundler named its hash; nothing of it is seen on its chain yet.",
  confirming: "It was executed in a block that is not deep enough yet.",
  confirmed: "It was executed, and all of its calls went through.",
  reverted: "It was executed and paid for, and its calls failed together.",
  reorged: "The block that it was executed in left the chain; it may be executed again.",
  expired: "No block can execute it any more, which a final block proves. What is left needs a new plan.",
  unknown:
    "The wallet's nonce was used by something else, or what is seen of it contradicts itself, which observation.reason says; without a reason its chain cannot be read now, and it may have been executed."
}
