/** A time as the person reads it, with the exact one behind it. */
import { distanceText, instantText } from "../../review/Times.ts"

interface Shown {
  readonly millis: number
  /** On the service's clock. */
  readonly now: number
}

export const Time = ({ millis, now }: Shown) => (
  <time dateTime={instantText(millis)} title={instantText(millis)}>
    {distanceText(millis, now)}
  </time>
)
