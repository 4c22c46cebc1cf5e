/** A node of one chain that answers at once. */
import { type Arrived, instantChain, type Question, rpcServer } from "../../support/InstantChain.ts"
import type { ProxyFault } from "../../support/RecordingProxy.ts"

export interface InstantNode {
  readonly url: string
  /** By hash. */
  readonly arrived: ReadonlyMap<string, Arrived>
  readonly arrivals: () => number
  readonly nextNonce: (wallet: string) => number
  /** Delays before the answer are all that it can do. */
  readonly fault: (fault: ProxyFault) => Promise<void>
  readonly stop: () => Promise<void>
}

export const startInstantNode = async (
  chainId: number,
  own?: Parameters<typeof instantChain>[2]
): Promise<InstantNode> => {
  const { arrived, arrivals, nextNonce, answer } = instantChain(chainId, "listing", own)
  const slow = new Map<string, number>()
  const delayOf = (questions: ReadonlyArray<Question>): number => {
    const method = questions.find(question => slow.has(question.method))?.method ?? ""
    const millis = slow.get(method) ?? 0
    slow.delete(method)
    return millis
  }
  const server = rpcServer(async questions => {
    const answers = questions.map(answer)
    const millis = delayOf(questions)
    if (millis > 0) await new Promise(resolve => setTimeout(resolve, millis))
    return answers
  })
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    arrived,
    arrivals,
    nextNonce,
    fault: async ({ method, act }) => {
      if (act.kind === "delay") slow.set(method, act.millis)
    },
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
