/** Whether a JSON value stays within a depth and a number of nodes, without recursion, so that no depth can end the process. */
interface Place {
  readonly value: unknown
  readonly depth: number
}

export interface Extent {
  readonly depth: number
  readonly nodes: number
}

const childrenOf = (value: unknown): ReadonlyArray<unknown> =>
  typeof value === "object" && value !== null ? Object.values(value) : []

export const staysWithin = (value: unknown, extent: Extent): boolean => {
  const open: Array<Place> = [{ value, depth: 1 }]
  let nodes = 1
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const children = childrenOf(place.value)
    nodes += children.length
    if (nodes > extent.nodes || (children.length > 0 && place.depth >= extent.depth)) return false
    for (const child of children) open.push({ value: child, depth: place.depth + 1 })
  }
  return true
}
