/** Whether the code at a published address is the code that was published. */
import { Effect, Option } from "effect"
import type { Deployment } from "../catalog/CatalogIndex.ts"
import { keccak256 } from "../values/Keccak.ts"
import type { Bytes32, Hex } from "../values/Scalars.ts"
import type { PublishedProvenance } from "./ProtocolSchemas.ts"
import { DeploymentCodeMissing, RuntimeCodeMismatch } from "./refusals.ts"

export type RuntimeFinding = Pick<
  PublishedProvenance,
  "runtimeCodeHash" | "runtimeVerified" | "verificationGap"
>

const unconfirmed = (deployment: Deployment, runtimeCodeHash: Bytes32): RuntimeFinding => ({
  runtimeCodeHash,
  runtimeVerified: false,
  verificationGap:
    deployment.runtimeCodeHash === null
      ? "runtime-hash-unknown"
      : deployment.runtimeCodeHash === runtimeCodeHash
        ? "runtime-hash-unconfirmed"
        : "runtime-hash-unconfirmed-and-different"
})

export const judgeRuntime = Effect.fn("RuntimeCode.judge")(function* (
  deployment: Deployment,
  confirmed: Option.Option<Bytes32>,
  code: Hex
) {
  const { chainId, address } = deployment
  if (code === "0x") return yield* new DeploymentCodeMissing({ context: { chainId, address } })
  const runtimeCodeHash = keccak256(Buffer.from(code.slice(2), "hex"))
  if (Option.isNone(confirmed)) return unconfirmed(deployment, runtimeCodeHash)
  const verified: RuntimeFinding = { runtimeCodeHash, runtimeVerified: true }
  if (confirmed.value === runtimeCodeHash) return verified
  return yield* new RuntimeCodeMismatch({
    context: { chainId, address, expected: confirmed.value, actual: runtimeCodeHash }
  })
})
