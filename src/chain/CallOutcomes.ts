/** Tells a revert from any other error answer, by code and data alone. */
import { Predicate } from "effect"
import type { Hex } from "../values/Scalars.ts"
import type { NodeError } from "./ChainClient.ts"

const REVERTED = 3
const BYTES = /^0x[0-9a-fA-F]*$/

const bytesOf = (data: unknown): Hex | undefined =>
  typeof data === "string" && data.length % 2 === 0 && BYTES.test(data)
    ? `0x${data.slice(2).toLowerCase()}`
    : undefined

/** Nodes put the returned bytes at `data` or one level deeper. */
const revertBytes = (data: unknown): Hex | undefined =>
  Predicate.hasProperty(data, "data") ? bytesOf(data.data) : bytesOf(data)

export const failedCall = ({ code, data }: NodeError) => {
  const bytes = revertBytes(data)
  if (bytes === undefined && code !== REVERTED) return { _tag: "Refused", code } as const
  return { _tag: "Reverted", data: bytes ?? "0x" } as const
}
