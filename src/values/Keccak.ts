/** Keccak-256 in WebAssembly, synchronous once this module is loaded. */
import { createKeccak } from "hash-wasm"

const hasher = await createKeccak(256)

export const keccak256Bytes = (bytes: Uint8Array): Uint8Array => hasher.init().update(bytes).digest("binary")

export const keccak256 = (bytes: Uint8Array): `0x${string}` =>
  `0x${hasher.init().update(bytes).digest("hex")}`

const utf8 = new TextEncoder()

export const keccak256Utf8 = (text: string): `0x${string}` => keccak256(utf8.encode(text))
