/** An ERC-20 allowance as the token's last word in the transaction, or as its state where it says none; it proves the write, not that it lasts. */

import { Either, Option, Schema } from "effect"
import { PROJECT_TOKEN } from "../../../effects/Contracts.ts"
import { eventsOf } from "../../../effects/Events.ts"
import { agreeing, doubted, eventsAbout, is } from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { type EffectQuestion, predicate, type Scene } from "../../../effects/Predicate.ts"

interface Args {
  readonly spender: string
  readonly value: string
}

const ALLOWANCE = "allowance(address,address)"

/** Another allowance than the planned one may be a later transaction's of the block, so that it disproves nothing either. */
const allowed = ({ args: { spender, value }, account }: Scene<Args>): EffectQuestion => ({
  signature: ALLOWANCE,
  args: [account, spender],
  judge: ([allowance]) =>
    allowance === value
      ? Either.right(`no event tells of it, but at the end of its block ${ALLOWANCE} is ${value}`)
      : doubted(`no event tells of it, and at the end of its block ${ALLOWANCE} is ${allowance}`)
})

/** Any Approval of the token, even one that cannot be read, shows that it is no token without events. */
const saysNothing = ({ logs, target }: Scene<Args>): boolean =>
  Either.match(eventsOf(logs, { emitter: target, event: "Approval", about: {} }), {
    onLeft: () => false,
    onRight: events => events.length === 0
  })

export const approveEffect = predicate({
  name: "approve",
  contractId: PROJECT_TOKEN,
  signature: "approve(address,uint256)",
  target: "planned",
  args: Schema.Struct({ spender: Schema.String, value: Schema.String }),
  asks: scene => (saysNothing(scene) ? Option.some(allowed(scene)) : Option.none()),
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

/** Of plans that spend an ERC-20 token. */
export const approvalEffects = planEffects({ "JBERC20.approve(address,uint256)": approveEffect })
