/** Results by key, in two generations: what is asked for stays, what is not is forgotten when the younger one is full. */
export const memo = <Value>(limit: number): ((key: string, compute: () => Value) => Value) => {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  const keep = (key: string, value: Value): Value => {
    if (young.size >= limit / 2) {
      old = young
      young = new Map()
    }
    /** What was cut out of a longer text holds all of that. */
    young.set(structuredClone(key), value)
    return value
  }
  return (key, compute) => young.get(key) ?? keep(key, old.get(key) ?? compute())
}
