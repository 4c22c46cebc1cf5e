/** Which address made an ECDSA signature: 65 bytes, v 27 or 28, low s; every other form is no signature here. */

import { instantiateSecp256k1 } from "@bitauth/libauth"
import { keccak256Bytes } from "../values/Keccak.ts"
import type { Address } from "../values/Scalars.ts"
import { fromHex, toHex, writeHex } from "../values/TypedDataHash.ts"

/** Public key recovery by libsecp256k1: its native build, or its WebAssembly build where the native one cannot load. */
export interface KeyRecovery {
  readonly engine: "native" | "wasm"
  /** The 65-byte uncompressed key, or undefined when no key could have made the signature. */
  readonly recoverKey: (compact: Uint8Array, recoveryId: 0 | 1, digest: Uint8Array) => Uint8Array | undefined
}

/** The package's main entry would fall back to pure JavaScript without a word. */
const loadBindings = () =>
  import("secp256k1/bindings.js").then(
    module => module.default,
    () => undefined
  )

export const nativeKeyRecovery = async (load = loadBindings): Promise<KeyRecovery | undefined> => {
  const bindings = await load()
  if (bindings === undefined) return undefined
  return {
    engine: "native",
    recoverKey: (compact, recoveryId, digest) => {
      try {
        return bindings.ecdsaRecover(compact, recoveryId, digest, false)
      } catch {
        return undefined
      }
    }
  }
}

/** What people are told at the start. */
export const linesOf = (
  engine: KeyRecovery["engine"]
): ReadonlyArray<readonly [label: string, text: string]> =>
  engine === "native"
    ? []
    : [["signatures", "verified by WebAssembly: the native build of secp256k1 does not load here"]]

export const wasmKeyRecovery = async (): Promise<KeyRecovery> => {
  const { recoverPublicKeyUncompressed } = await instantiateSecp256k1()
  return {
    engine: "wasm",
    recoverKey: (compact, recoveryId, digest) => {
      const key = recoverPublicKeyUncompressed(compact, recoveryId, digest)
      return typeof key === "string" ? undefined : key
    }
  }
}

const ORDER = fromHex("0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
const HALF_ORDER = fromHex("0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0")

const compare = (left: Uint8Array, right: Uint8Array): number => {
  for (let i = 0; i < 32; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

const isZero = (word: Uint8Array): boolean => word.every(byte => byte === 0)

export const isInRange = (compact: Uint8Array): boolean => {
  const r = compact.subarray(0, 32)
  const s = compact.subarray(32)
  return !isZero(r) && compare(r, ORDER) < 0 && !isZero(s) && compare(s, HALF_ORDER) <= 0
}

export const addressRecovery =
  ({ recoverKey }: KeyRecovery) =>
  (digest: Uint8Array, compact: Uint8Array, recoveryId: 0 | 1): Address | undefined => {
    if (!isInRange(compact)) return undefined
    const key = recoverKey(compact, recoveryId, digest)
    return key && toHex(keccak256Bytes(key.subarray(1)).subarray(12))
  }

const keyRecovery = (await nativeKeyRecovery()) ?? (await wasmKeyRecovery())

export const { engine } = keyRecovery

/** The lower-case address whose key made r and s, or undefined. */
export const recoverAddress = addressRecovery(keyRecovery)

const parseSignature = (signature: string): Uint8Array | undefined => {
  const length = (signature.length - 2) >> 1
  if (length !== 65 && length !== 64) return undefined
  const bytes = new Uint8Array(length)
  try {
    writeHex(signature, length, bytes, 0)
  } catch {
    return undefined
  }
  return bytes
}

/** The lower-case address of the signer, or undefined. */
export const recover = (digest: Uint8Array, signature: string): Address | undefined => {
  const bytes = parseSignature(signature)
  const v = bytes?.[64]
  if (bytes === undefined || (v !== 27 && v !== 28)) return undefined
  return recoverAddress(digest, bytes.subarray(0, 64), v === 27 ? 0 : 1)
}

/** Who signed in a form that is refused (v 0 or 1, or EIP-2098), told to the caller as advice only. */
export const recoverRefusedForm = (digest: Uint8Array, signature: string): Address | undefined => {
  const bytes = parseSignature(signature)
  if (bytes === undefined) return undefined
  const v = bytes[64]
  if (v === 0 || v === 1) return recoverAddress(digest, bytes.subarray(0, 64), v)
  if (bytes.length !== 64) return undefined
  const compact = bytes.slice()
  const top = compact[32] ?? 0
  compact[32] = top & 0x7f
  return recoverAddress(digest, compact, top >= 0x80 ? 1 : 0)
}
