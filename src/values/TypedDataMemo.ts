/** Results by key, the least recently used forgotten beyond a bound. */
export const memo = <Value>(limit: number): ((key: string, compute: () => Value) => Value) => {
  const known = new Map<string, Value>()
  return (key, compute) => {
    const hit = known.get(key)
    const value = hit ?? compute()
    if (hit !== undefined) known.delete(key)
    known.set(key, value)
    if (known.size > limit) known.delete(known.keys().next().value ?? key)
    return value
  }
}
