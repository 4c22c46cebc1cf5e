/** Every file of test vectors by its name. */
import { acceptedRequests } from "./acceptedRequests.ts"
import { sponsorshipApprovals, transactionApprovals } from "./approvals.ts"
import { botProofs } from "./botProofs.ts"
import { commitments } from "./commitments.ts"
import { execution } from "./execution.ts"
import { refusedRequests } from "./refusedRequests.ts"
import { sessions } from "./sessions.ts"
import { smartAccounts } from "./smartAccounts.ts"
import { submissions } from "./submissions.ts"
import { bot, CONFIGURED_CHAINS, owner, stranger } from "./Vector.ts"

export const files = {
  "keys.json": { keys: [owner, bot, stranger] },
  "requests.json": {
    primaryType: "ServiceRequest",
    configuredChains: CONFIGURED_CHAINS,
    vectors: [...acceptedRequests, ...refusedRequests]
  },
  "bot-proofs.json": { primaryType: "ServiceBotProof", vectors: botProofs },
  "transaction-approvals.json": { primaryType: "ServiceTransactionApproval", vectors: transactionApprovals },
  "sponsorship-approvals.json": { primaryType: "ServiceSponsorshipApproval", vectors: sponsorshipApprovals },
  "submissions.json": { vectors: submissions },
  "commitments.json": { vectors: commitments },
  "execution.json": execution,
  "smart-accounts.json": smartAccounts,
  "sessions.json": sessions
} as const
