/** Safe 1.4.1: the code that wallets run, and what their addresses follow from. */
import type { Address, Bytes32 } from "./Scalars.ts"

export const SAFE_SINGLETON: Address = "0x29fcB43b46531BcA003ddC8FCB67FFE91900C762"

/** Of the code that creates a proxy of it. */
export const SAFE_PROXY_INIT_CODE_HASH: Bytes32 =
  "0xe298282cefe913ab5d282047161268a8222e4bd4ed106300c547894bbefd31ee"
