/** The wallet's own transaction as a way of leaving: one step, the sender's nonce, one node. */
import type { Transport } from "../dispatch/Transport.ts"
import { boundTo } from "./BoundTransaction.ts"
import { locate, prove, walletNonce } from "./Carried.ts"
import { checkAgainstCall, parseRaw } from "./CheckTransaction.ts"
import { preflightTransaction, type SeenHead } from "./Preflight.ts"
import { sendOnce } from "./SendRaw.ts"
import type { SignedTransaction } from "./SignedTransaction.ts"

export const direct = {
  name: "signed-eoa-transaction",
  parse: parseRaw,
  match: checkAgainstCall,
  preflight: preflightTransaction,
  claim: boundTo,
  send: sendOnce,
  locate,
  walletNonce,
  prove
} satisfies Transport<SignedTransaction, SeenHead>
