/** Stands in for the package of this name on the page, whose security policy compiles no WebAssembly. */
import { keccak256 } from "viem"

export const createKeccak = async () => {
  let given: Uint8Array = new Uint8Array()
  const hasher = {
    init: () => hasher,
    update: (bytes: Uint8Array) => {
      given = bytes
      return hasher
    },
    digest: (form: "binary" | "hex") =>
      form === "binary" ? keccak256(given, "bytes") : keccak256(given).slice(2)
  }
  return hasher
}
