/** A relay bench with a second replica, for tests that ask both at once. */
import { startRelayBench } from "./RelayBench.ts"

export const startReplicas = async () => {
  const bench = await startRelayBench({ settings: { databaseConnections: 6 } })
  const second = await bench.replica()
  const stop = async () => {
    await second.stop()
    await bench.stop()
  }
  return { bench, second, stop, replica: (index: number) => (index % 2 === 0 ? bench.service : second) }
}

export const times = <A>(count: number, make: (index: number) => Promise<A>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
