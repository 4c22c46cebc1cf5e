import { recover } from "../../src/signatures/Recover.ts"
import type { MessageOf, MessageType } from "../../src/values/TypedData.ts"
import { toHex, traceDigest } from "../../src/values/TypedDataHash.ts"
import { testKey } from "../../test/signatures/TestKeys.ts"

export type Hex = `0x${string}`

export const owner = testKey("vectors: owner")
export const bot = testKey("vectors: bot")
export const stranger = testKey("vectors: stranger")

export const AUDIENCE = "https://api.example"
export const CHAIN = 8453
export const NOW = 1_900_000_000
/** Other chains that the service of these vectors is configured for. */
export const CONFIGURED_CHAINS = [1, 10, CHAIN, 31337]

export const GRANT = "3f2c1b0a-4d5e-4f60-8a7b-9c0d1e2f3a4b"
export const PLAN = "7a6b5c4d-3e2f-4a1b-9c8d-7e6f5a4b3c2d"

export const accountId = (chainId: number, address: string = owner.address) => `eip155:${chainId}:${address}`

export const word = (byte: string): Hex => `0x${byte.repeat(32)}`

export interface Case<Type extends MessageType> {
  readonly name: string
  readonly description: string
  readonly audience: string
  readonly chainId: number
  readonly message: Omit<MessageOf<Type>, "audience">
  /** Whom the message must be signed by. */
  readonly signer: Hex
  readonly signature: Hex
  readonly serverTime: number
  readonly body?: Uint8Array
  readonly problem: string | null
  readonly likelyCause: string | null
}

export const vector = <Type extends MessageType>(type: Type, of: Case<Type>) => {
  const trace = traceDigest(type, of.audience, of.chainId, of.message)
  const digest = Uint8Array.from(Buffer.from(trace.digest.slice(2), "hex"))
  return {
    name: of.name,
    description: of.description,
    valid: of.problem === null,
    audience: of.audience,
    chainId: of.chainId,
    serverTime: of.serverTime,
    ...(of.body && { body: toHex(of.body) }),
    message: { audience: of.audience, ...of.message },
    signer: of.signer,
    signature: of.signature,
    trace,
    expected: {
      recovered: recover(digest, of.signature) ?? null,
      problem: of.problem,
      likelyCause: of.likelyCause
    }
  }
}
