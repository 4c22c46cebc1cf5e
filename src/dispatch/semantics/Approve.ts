/** An ERC-20 allowance as the token's last word in the transaction; it proves the write, not that it lasts. */
import { Either, Schema } from "effect"
import { PROJECT_TOKEN } from "./Contracts.ts"
import { agreeing, doubted, eventsAbout, is } from "./Judgement.ts"
import { predicate } from "./Predicate.ts"

export const approve = predicate({
  name: "approve",
  contractId: PROJECT_TOKEN,
  signature: "approve(address,uint256)",
  target: "planned",
  args: Schema.Struct({ spender: Schema.String, value: Schema.String }),
  judge: ({ args: { spender, value }, account, target, logs }) => {
    const approval = {
      emitter: target,
      event: "Approval",
      about: { owner: account, spender },
      says: { value: is(value) },
      shows: ["owner", "spender", "value"]
    }
    return Either.flatMap(eventsAbout(logs, approval), approvals => {
      const last = approvals.at(-1)
      if (last === undefined) return doubted("no Approval event is about this call")
      const planned = approvals.filter(fields => fields.value === value)
      if (approvals.length > 1 && (planned.length !== 1 || planned[0] !== last))
        return doubted(
          `${approvals.length} Approval events are about this call and do not end with the planned one`
        )
      return Either.map(agreeing(approval, last), fields => [fields])
    })
  }
})
