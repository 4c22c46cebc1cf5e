import { createHash } from "node:crypto"
import type { Bytes32 } from "../values/Scalars.ts"
import { type Committed, committedText, type PlanOwnership } from "./CommittedText.ts"

export const commitmentHash = (plan: Committed, ownership: PlanOwnership): Bytes32 =>
  `0x${createHash("sha256").update(committedText(plan, ownership)).digest("hex")}`
