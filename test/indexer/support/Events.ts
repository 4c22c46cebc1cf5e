/** An event as a source gives it, and a page of them. */
export const row = {
  id: "one",
  version: 6,
  chainId: 84532,
  projectId: 2,
  txHash: "0xaa",
  timestamp: 7,
  amount: "5",
  memo: "hello"
}

export const info = { hasNextPage: false, hasPreviousPage: false, startCursor: "a", endCursor: "b" }
export const page = (items: ReadonlyArray<unknown>, over: object = {}) => ({
  data: { page: { items, totalCount: items.length, pageInfo: info, ...over } }
})
