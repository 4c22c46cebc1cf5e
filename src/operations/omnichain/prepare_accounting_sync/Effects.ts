/** Accounts that a sucker sent; nothing of it proves what happens on the other chain. */

import { Either, Schema } from "effect"
import { exactlyOne } from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { predicate } from "../../../effects/Predicate.ts"
import { everySucker } from "../EverySucker.ts"

/** Sources count time in seconds in the high half, and what they told before in the low one. */
const COUNTER_BITS = 128n

const timeOf = (sourceTimestamp: unknown): bigint => BigInt(String(sourceTimestamp)) >> COUNTER_BITS

const syncAccounting = predicate({
  ...everySucker,
  name: "sync_accounting",
  signature: "syncAccountingData()",
  args: Schema.Struct({}),
  judge: ({ account, target, logs }) =>
    Either.map(
      exactlyOne(logs, {
        emitter: target,
        event: "AccountingDataSynced",
        about: { caller: account },
        says: { sourceTimestamp: value => timeOf(value) > 0n },
        shows: ["sourceTimestamp"]
      }),
      event => [{ ...event, sourceTime: String(timeOf(event.sourceTimestamp)) }]
    )
})

export const prepareAccountingSyncEffects = planEffects({
  "JBOptimismSucker.syncAccountingData()": syncAccounting,
  "JBBaseSucker.syncAccountingData()": syncAccounting,
  "JBArbitrumSucker.syncAccountingData()": syncAccounting,
  "JBCCIPSucker.syncAccountingData()": syncAccounting,
  "JBSucker.syncAccountingData()": syncAccounting
})
