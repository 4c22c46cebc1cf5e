/** A provider in a process of its own, which is killed at moments of its work and comes back with what it had kept. */
import { join } from "node:path"
import { builtProgram } from "../../support/BuiltProgram.ts"
import { type RecordingProxy, startRecordingProxy } from "../../support/RecordingProxy.ts"
import { type ProviderProxy, startProviderProxy } from "../sponsored/ProviderProxy.ts"
import { started } from "./Processes.ts"

/** Before it has a publication, and once it keeps what it was published. */
export const PUBLISHING_MOMENTS = ["asked", "stored"] as const

/** Once it reads payments, with an execution signed and not sent, sent and not heard of, and looked for. */
export const EXECUTING_MOMENTS = ["paid", "signed", "sent", "executed"] as const

export type ProviderMoment = (typeof PUBLISHING_MOMENTS | typeof EXECUTING_MOMENTS)[number]

export interface MortalProvider {
  readonly proxy: ProviderProxy
  /** It dies when it gets there next; one death is awaited at a time. */
  readonly doom: (moment: ProviderMoment) => void
  /** Nothing awaits it any more, and it is there. */
  readonly spare: () => Promise<void>
  /** By the moments at which it died. */
  readonly deaths: Readonly<Record<string, number>>
  readonly stop: () => Promise<void>
}

const LISTENING = "Listening on "

/** What it asks its node then; `before`: the node never hears it. */
const CALLS = {
  paid: { method: "eth_getLogs", phase: "after" },
  signed: { method: "eth_sendRawTransaction", phase: "before" },
  sent: { method: "eth_sendRawTransaction", phase: "after" },
  executed: { method: "eth_getTransactionReceipt", phase: "after" }
} as const

/** Holds what is under way there until it is dead. */
const doomAt = (
  moment: ProviderMoment,
  { proxy, node }: { readonly proxy: ProviderProxy; readonly node: RecordingProxy },
  die: () => Promise<void>
) => {
  if (moment === "asked") return proxy.fault({ phase: "before", act: { kind: "meanwhile", happens: die } })
  if (moment === "stored") return proxy.fault({ phase: "after", act: { kind: "meanwhile", happens: die } })
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const reached = () => {
    void die().finally(release)
  }
  node.fault({ ...CALLS[moment], act: { kind: "hold", reached, released } })
}

const spawning = async (directory: string, rpcUrl: string) => {
  const program = await builtProgram("sandbox/provider/main.ts")
  const environment = {
    SANDBOX_PROVIDER_RPC_URL: rpcUrl,
    SANDBOX_PROVIDER_FILE: join(directory, "bundles")
  }
  return async () => {
    const running = await started([program], environment, LISTENING)
    return { kill: running.kill, url: running.announced.replace(LISTENING, "").trim() }
  }
}

export const startMortalProvider = async (directory: string, chainUrl: string): Promise<MortalProvider> => {
  const node = await startRecordingProxy({ upstream: chainUrl })
  const start = await spawning(directory, node.url)
  let running = await start()
  const proxy = await startProviderProxy(running.url)
  const deaths: Record<string, number> = {}
  let awaited: ProviderMoment | undefined
  let returning: Promise<void> = Promise.resolve()
  const comeBack = async (dead: Promise<void>) => {
    await dead
    running = await start()
    proxy.follow(running.url)
    awaited = undefined
  }
  const die = (moment: ProviderMoment): Promise<void> => {
    deaths[moment] = (deaths[moment] ?? 0) + 1
    const dead = running.kill()
    returning = comeBack(dead)
    return dead
  }
  const spare = async () => {
    node.clearFaults()
    proxy.clearFaults()
    await returning
    awaited = undefined
  }
  return {
    proxy,
    deaths,
    spare,
    doom: moment => {
      if (awaited !== undefined) return
      awaited = moment
      doomAt(moment, { proxy, node }, () => die(moment))
    },
    stop: async () => {
      await spare()
      await proxy.stop()
      await running.kill()
      await node.stop()
    }
  }
}
