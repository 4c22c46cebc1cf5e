/** Which classic mistake explains a signature that was refused, and what to do about it. */
import type { Mistake } from "./Mistakes.ts"

export type LikelyCause = Mistake["cause"] | "recovery-id-0-1" | "clock"

const advice: Readonly<Record<LikelyCause, string>> = {
  "query-dropped": "The query was left out: sign the exact target, path and query, that is sent.",
  "body-reserialised": "Another text of the body was signed: hash the very bytes that are sent.",
  "content-type": "Another Content-Type was signed: sign the header exactly as it is sent.",
  "wrong-audience": "Sign for the audience that /api/v1/capabilities reports, without a trailing slash.",
  "wrong-chain":
    "The wallet signed for another chain: the domain's chainId is the account's authority chain.",
  "salt-missing": "The wallet left the salt out of the domain: list EIP712Domain in the types explicitly.",
  "recovery-id-0-1": "Send 65 bytes with v 27 or 28: add 27 to v 0 or 1, and unpack EIP-2098 signatures.",
  clock: "The window does not contain the service's time: learn its clock from the Date header."
}

/** By the name of the mistake, which may be one that a later service knows. */
export const adviceByCause: Readonly<Record<string, string>> = advice
