/** One service with its node, its database and a second process that only recovers; waits are short, so that a lost answer costs little. */
import { Layer, ManagedRuntime, Redacted } from "effect"
import { services } from "../../../src/main/Services.ts"
import { Settings } from "../../../src/settings/Settings.ts"
import { hurriedClock } from "../../support/Clocks.ts"
import { type RelayBench, startRelayBench } from "../../support/RelayBench.ts"
import { chainSettings } from "../../support/Sandbox.ts"
import { testSettings } from "../../support/Settings.ts"
import { sqlOn } from "../../support/Sql.ts"
import { sweep } from "../../support/Sweeps.ts"

/** Ten seconds become one. */
const PACE = 10

export interface Stand {
  readonly bench: RelayBench
  readonly sql: (
    text: string,
    values?: ReadonlyArray<unknown>
  ) => Promise<ReadonlyArray<Record<string, unknown>>>
  /** The hash that each plan's step was told to be admitted with. */
  readonly admitted: Map<string, string>
  /** Lets the recovering process look at this plan. */
  readonly recover: (planId: string) => Promise<void>
  readonly stop: () => Promise<void>
}

const recoveringProcess = ({ service, proxy, overlay }: RelayBench, pace: number) => {
  const settings = testSettings({
    databaseUrl: Redacted.make(service.databaseUrl),
    databaseConnections: 4,
    chains: chainSettings(proxy.url),
    log: { level: "error", format: "json" }
  })
  const surroundings = Layer.merge(Layer.setClock(hurriedClock(pace)), Layer.succeed(Settings, settings))
  return ManagedRuntime.make(Layer.provideMerge(services([overlay]), surroundings))
}

const standAt = async (pace: number): Promise<Stand> => {
  const bench = await startRelayBench({ clock: hurriedClock(pace) })
  const worker = recoveringProcess(bench, pace)
  const sql: Stand["sql"] = (text, values = []) => sqlOn(bench.service.databaseUrl, text, values)
  const recover = async (planId: string) => {
    await sql("UPDATE plans SET sweep_at = CASE WHEN id = $1 THEN unix_millis() END", [planId])
    await worker.runPromise(sweep)
  }
  const stop = async () => {
    await worker.dispose()
    await bench.stop()
  }
  return { bench, sql, admitted: new Map(), recover, stop }
}

export const startStand = (): Promise<Stand> => standAt(PACE)

/** For a node that answers always, however slow the machine is. */
export const startPatientStand = (): Promise<Stand> => standAt(1)
