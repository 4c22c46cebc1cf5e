/** Whether the code at a published address is the code that was published. */
import { Either, Option } from "effect"
import type { Deployment } from "../catalog/CatalogIndex.ts"
import { keccak256 } from "../values/Keccak.ts"
import { memo } from "../values/Memo.ts"
import type { Bytes32, Hex } from "../values/Scalars.ts"
import type { PublishedProvenance } from "./ProtocolSchemas.ts"
import { DeploymentCodeMissing, RuntimeCodeMismatch } from "./refusals.ts"

export type RuntimeFinding = Pick<
  PublishedProvenance,
  "runtimeCodeHash" | "runtimeVerified" | "verificationGap"
>

const HASHES_KEPT = 256
/** The longest code of EIP-170; what chains allow beyond it is hashed each time. */
const LONGEST_KEPT = 2 + 2 * 24_576

const hashes = memo<Bytes32>(HASHES_KEPT)

export const codeHash = (code: Hex): Bytes32 => {
  const hashed = () => keccak256(Buffer.from(code.slice(2), "hex"))
  return code.length > LONGEST_KEPT ? hashed() : hashes(code, hashed)
}

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

export const judgeRuntime = (
  deployment: Deployment,
  confirmed: Option.Option<Bytes32>,
  code: Hex
): Either.Either<RuntimeFinding, DeploymentCodeMissing | RuntimeCodeMismatch> => {
  const { chainId, address } = deployment
  if (code === "0x") return Either.left(new DeploymentCodeMissing({ context: { chainId, address } }))
  const runtimeCodeHash = codeHash(code)
  if (Option.isNone(confirmed)) return Either.right(unconfirmed(deployment, runtimeCodeHash))
  if (confirmed.value === runtimeCodeHash) return Either.right({ runtimeCodeHash, runtimeVerified: true })
  return Either.left(
    new RuntimeCodeMismatch({
      context: { chainId, address, expected: confirmed.value, actual: runtimeCodeHash }
    })
  )
}
