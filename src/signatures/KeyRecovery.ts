/** Public key recovery by libsecp256k1: its native build, or its WebAssembly build where the native one cannot load. */
import { instantiateSecp256k1 } from "@bitauth/libauth"

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
export const linesOf = (engine: KeyRecovery["engine"]): ReadonlyArray<string> =>
  engine === "native"
    ? []
    : ["signatures  verified by WebAssembly: the native build of secp256k1 does not load here"]

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
