/** What follows from an object that never changes. */
export const once = <Given extends object, Told>(told: (given: Given) => Told) => {
  const known = new WeakMap<Given, Told>()
  return (given: Given): Told => {
    const found = known.get(given) ?? told(given)
    known.set(given, found)
    return found
  }
}
