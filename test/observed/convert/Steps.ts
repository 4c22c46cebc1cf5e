/** A step on one line: short names, no addresses that have a name, nothing that follows from the rest. */
import type { Brief, SourceBalance, SourceLog, SourceRevert, SourceStep, Value } from "./Names.ts"

const given = <A>(name: string, value: A | undefined) => (value === undefined ? {} : { [name]: value })

/** Nothing where it has no value of its own. */
const unless = (value: string | undefined, plain: string) => (value === plain ? undefined : value)

const balanceOf = (balance: SourceBalance, told: Brief): Value => {
  const { measure, contract, address = null, args = [], before, change } = balance
  return contract === undefined
    ? [measure, told(address), before, change]
    : [measure, `${told(contract)}.${balance.function}`, told(args), before, change]
}

export const compactStep = (step: SourceStep, told: Brief, short: (signature: string) => string): Value => {
  const { kind, contract, seconds, note, blockOffset, timeOffset } = step
  if (contract === undefined) return { kind, ...given("seconds", seconds), ...given("note", note) }
  const logOf = ({ contract, event, args }: SourceLog): Value => [told(contract), short(event), told(args)]
  const revertOf = ({ error, args, reason, note }: SourceRevert): Value => ({
    error: error === null ? null : short(error),
    ...given("args", args && told(args)),
    ...given("reason", reason && told(reason)),
    ...given("note", note)
  })
  return {
    kind,
    contract: told(contract),
    function: short(step.function ?? ""),
    ...given("from", step.from && told(step.from)),
    ...given("value", unless(step.value, "0")),
    args: told(step.args ?? []),
    ...given("result", step.result === undefined ? undefined : told(step.result)),
    ...given("revert", step.revert && revertOf(step.revert)),
    ...given("logs", step.logs?.length ? step.logs.map(logOf) : undefined),
    ...given(
      "balances",
      step.balances?.map(balance => balanceOf(balance, told))
    ),
    at: [String(blockOffset), String(timeOffset)],
    ...given("note", note)
  }
}
