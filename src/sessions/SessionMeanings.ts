/** What is said to people of a session's states, and of what keeps one from being used. */
import type { InvalidationReason, SessionStatus } from "./Session.ts"

export const sessionMeanings: Readonly<Record<SessionStatus, string>> = {
  prepared: "It is compiled and stored, and gives no authority: its wallet's owners have not enabled it.",
  installing:
    "A plan that enables it is admitted; its owners sign an operation for that plan. Once that ran out it is prepared again, and its wallet free.",
  active:
    "Its guard has exactly this policy live and within its limits, the bot's grant holds, and the wallet is as it was bound.",
  stale:
    "Something keeps it from being used here, which invalidation tells; its guard may have it enabled still.",
  revoking:
    "A plan that revokes it is admitted; its guard may take its key's operations until that is executed. One that ran out leaves it so: have another executed.",
  expired:
    "Its time is over by its chain's clock, or it was given up before anything enabled it. Where its guard has it, revoking it frees the wallet for another.",
  revoked:
    "Its guard refuses it for good. Once the block of that is final the wallet may have another session."
}

export const invalidationMeanings: Readonly<Record<InvalidationReason, string>> = {
  "configuration-changed":
    "For good: the guard was told otherwise than by these plans, or has another policy under the session's name.",
  "counter-reset": "For good: a counter was lower than before, on one and the same history of the chain.",
  reorg: "The block that it was seen in left the chain, and nothing final was seen since.",
  "grant-inactive": "The bot's grant was revoked or ran out.",
  "binding-unlinked": "The wallet is not the account's any more.",
  "wallet-changed":
    "The wallet has other owners, another threshold, module or handler than it was bound with."
}

/** By the numbers of the guard's error. */
export const guardRefusals: ReadonlyArray<readonly [rules: string, of: string, means: string]> = [
  ["1, 2", "enabling", "It is installed already; it is not installed."],
  ["3", "enabling", "What is to be revoked does not live."],
  ["4, 5", "enabling", "Another enable nonce is due; another permission lives."],
  ["6", "enabling", "The bytes are not the one encoding of a policy."],
  ["7, 8", "enabling", "Key, nonce or generation; the times."],
  [
    "9, 10",
    "enabling",
    "The bounds of calls, gas, paymaster or allocations; too many of something, or no action."
  ],
  ["11", "enabling", "An action's target is the wallet, the guard, the entry point or the adapter."],
  ["12, 13", "enabling", "An action is malformed; two have one target and one selector."],
  ["14", "enabling", "The permission's name was used before."],
  ["20", "use", "Another than the operation's sender asks."],
  ["21, 22, 23", "use", "The signature is no session's; the session is not enabled; the policy is another."],
  ["24", "use", "Init code, another validator's nonce, or another lane than the first."],
  ["25", "use", "The paymaster, its code or the length of its data."],
  ["26, 27, 28", "use", "One operation's gas or price; that of all; the number of calls."],
  ["29", "use", "It is not one call in the one encoding: a batch, a delegatecall, anything more."],
  ["30, 31", "use", "The calldata's length, or the target's code; a word of the arguments."],
  ["32, 33", "use", "The native value; the amount, of the call, the action or the allocation."],
  ["34", "use", "The policy has no such action."]
]
