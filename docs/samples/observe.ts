/** Shows what may be unknown as unknown: never as zero, never as what it was before. */
export type Observation<A> =
  | { readonly status: "known"; readonly value: A }
  | {
      readonly status: "unknown"
      readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean }
    }

export const describeObservation = <A>(observation: Observation<A>, show: (value: A) => string): string => {
  if (observation.status === "known") return show(observation.value)
  const { code, retryable } = observation.error
  return retryable ? `unknown for now (${code})` : `unknown (${code})`
}

/** Known only where all parts are. */
export const combineObservations = <A>(
  parts: ReadonlyArray<Observation<A>>
): Observation<ReadonlyArray<A>> => {
  const values: Array<A> = []
  for (const part of parts) {
    if (part.status === "unknown") return part
    values.push(part.value)
  }
  return { status: "known", value: values }
}
