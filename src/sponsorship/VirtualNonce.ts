/** A request's place among those of its chain, by which a provider keeps their order. */
interface OnChain {
  readonly chainId: number
}

export const virtualNonce = (requests: ReadonlyArray<OnChain>, position: number): number =>
  requests.slice(0, position).filter(({ chainId }) => chainId === requests[position]?.chainId).length
