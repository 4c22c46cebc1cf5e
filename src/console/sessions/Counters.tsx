/** What a session used up and what is left, by its guard's counters, as bars. */
import type { PolicyNames } from "../../sessions/PolicyWords.ts"
import type { PublicSession } from "../../sessions/Session.ts"
import { Time } from "../app/Times.tsx"
import { type CounterShown, counterShown } from "./CounterWords.ts"

const WHOLE = 1000
/** From here on the bar warns. */
const NEARLY = 900

const Counter = ({
  counter: { name, title, used, limit, remaining, share }
}: {
  readonly counter: CounterShown
}) => (
  <li class="counter">
    <p id={`counter-${name}`}>{title}</p>
    <meter
      aria-labelledby={`counter-${name}`}
      min={0}
      max={WHOLE}
      low={NEARLY}
      high={NEARLY + 1}
      optimum={0}
      value={share}
    >
      {used} of {limit}
    </meter>
    <p class="muted">
      <strong>{used}</strong> used of {limit}; <strong>{remaining}</strong> left
    </p>
  </li>
)

interface CountersProps {
  readonly session: PublicSession
  readonly names: PolicyNames
  /** On the service's clock, in milliseconds. */
  readonly now: number
}

export const Counters = ({ session, names, now }: CountersProps) => {
  const { observation } = session
  if (observation === undefined || observation.counters.length === 0) return null
  const { observedAt, evidence, counters, finality } = observation
  return (
    <section class="counters">
      <h2>{session.state === "revoked" ? "What was used of it" : "What is left of it"}</h2>
      <p class="muted">
        By the guard's counters in block {evidence.blockNumber}
        {finality.status === "final" ? ", which is final" : ""}, seen <Time millis={observedAt} now={now} />.
        What a call asked for is counted, also where it failed. None of it says what the wallet has.
      </p>
      <ul class="bars">
        {counters.map(counter => (
          <Counter key={counter.name} counter={counterShown(session, names)(counter)} />
        ))}
      </ul>
    </section>
  )
}
