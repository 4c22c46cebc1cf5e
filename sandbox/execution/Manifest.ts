/** The manifest of the local chain's wallets: what the sandbox put there is reviewed for sessions, and no contract may own one. */
import { Schema } from "effect"
import stack from "../../schema/execution/stack.json" with { type: "json" }
import { ManifestTerms, revised, type SmartManifest } from "../../src/smartaccounts/Manifest.ts"

export const localManifest = (): SmartManifest => {
  const { pins, paymasters, ...code } = stack
  const terms: unknown = {
    ...code,
    id: `safe7579-guard-${stack.chainId}`,
    mode: "execution",
    pins: { ...pins, paymasters },
    contractOwners: []
  }
  return revised(Schema.decodeUnknownSync(ManifestTerms)(terms))
}
