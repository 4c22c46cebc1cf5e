/** What the guard's twin answers to a case, and what it keeps of it. */
import { Either } from "effect"
import { keccak256 } from "viem"
import { enable, install, revoke, uninstall } from "../../../src/sessions/Administer.ts"
import {
  EMPTY_RECORD,
  type GuardGround,
  type GuardRecord,
  permissionIn
} from "../../../src/sessions/GuardState.ts"
import { validateOperation } from "../../../src/sessions/ValidateOperation.ts"
import type { Address, Hex } from "../../../src/values/Scalars.ts"
import { CHAIN_ID } from "../../sessions/support/Guarded.ts"
import { contracts, ENTRY_POINT, GUARD } from "../../smartaccounts/support/Wallets.ts"
import type { Case, Step } from "./Cases.ts"
import { type Answers, keptAs } from "./OnChain.ts"
import { NO_CODE } from "./Policies.ts"

interface Answered {
  readonly said: string
  readonly record: GuardRecord
}

const groundOf = ({ place }: Case, codes: ReadonlyMap<Address, Hex>): GuardGround => ({
  chainId: CHAIN_ID,
  guard: GUARD,
  account: place.account,
  entryPoint: ENTRY_POINT,
  adapter: contracts.adapter,
  codeHashOf: address => {
    const code = codes.get(address)
    if (code !== undefined && code !== "0x") return keccak256(code)
    return address === place.person ? NO_CODE : `0x${"00".repeat(32)}`
  }
})

const administered = (
  ground: GuardGround,
  record: GuardRecord,
  step: Exclude<Step, { does: "validate" }>,
  now: number
) => {
  switch (step.does) {
    case "install":
      return install(ground, record, step.data, now)
    case "uninstall":
      return uninstall(record)
    case "enable":
      return enable(ground, record, { expectedEnableNonce: step.nonce, encoded: step.encoded }, now)
    case "revoke":
      return revoke(record, step.permissionId)
  }
}

const answered = (ground: GuardGround, record: GuardRecord, step: Step, now: number): Answered => {
  const refused = (rule: number): Answered => ({ said: `rule ${rule}`, record })
  if (step.does !== "validate")
    return Either.match(administered(ground, record, step, now), {
      onLeft: refused,
      onRight: next => ({ said: "done", record: next })
    })
  return Either.match(validateOperation(ground, record, step.operation, step.operationHash, step.caller), {
    onLeft: refused,
    onRight: ({ isSigned, validAfter, validUntil, record: next }) => ({
      said: `${isSigned ? "signed" : "failed 1"} ${validAfter} ${validUntil}`,
      record: next
    })
  })
}

export const byTwin = (one: Case): Answers => {
  const said: Array<string> = []
  let record = EMPTY_RECORD
  const codes = new Map<Address, Hex>()
  for (const [index, phase] of one.phases.entries()) {
    for (const [address, code] of phase.codes) codes.set(address, code)
    const ground = groundOf(one, codes)
    for (const step of phase.steps) {
      const answer = answered(ground, record, step, one.place.now + index)
      said.push(answer.said)
      record = answer.record
    }
  }
  const states = one.permissionIds.map(id => permissionIn(record, id))
  return { said, kept: keptAs([...states, record.administration]) }
}
