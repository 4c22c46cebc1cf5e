/** Stands in for the package of this name: the same Keccak-256 without WebAssembly. */
import { keccak_256 } from "@noble/hashes/sha3"

const hexOf = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("")

export const createKeccak = () => {
  let digest = new Uint8Array()
  const hasher = {
    init: () => hasher,
    update: bytes => {
      digest = keccak_256(bytes)
      return hasher
    },
    digest: form => (form === "binary" ? digest : hexOf(digest))
  }
  return hasher
}
