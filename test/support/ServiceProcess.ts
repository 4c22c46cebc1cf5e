/** The real program as a process of its own, on a database and a scripted node of the test's, for what might end a whole process. */
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { type Ears, READY, type Running, started } from "../faults/crash/Processes.ts"
import { builtProgram } from "./BuiltProgram.ts"
import { ENDLESS_QUOTAS } from "./EndlessQuotas.ts"
import { type FakeNode, startFakeNode } from "./FakeNode.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { passableDirectory } from "./PassableDirectory.ts"
import { freePort } from "./Ports.ts"

export interface ServiceProcess extends Pick<Running, "pid" | "announced" | "ended" | "tell" | "turnAway"> {
  readonly url: string
  readonly opsUrl: string
  readonly audience: string
  readonly dataDirectory: string
  readonly node: FakeNode
  /** What it says of how it ended, undefined as long as it lives. */
  readonly exit: () => string | undefined
  readonly stop: () => Promise<void>
}

export interface ServiceProcessOptions {
  /** Environment variables beside or instead of those of every such process. */
  readonly settings?: Readonly<Record<string, string>>
  /** For Node, before the program. */
  readonly flags?: ReadonlyArray<string>
  readonly ears?: Ears
}

export const CHAIN = 31337

const settingsFor = async (databaseUrl: string, node: FakeNode, directory: string) => ({
  SERVICE_PORT: String(await freePort()),
  SERVICE_OPS_PORT: String(await freePort()),
  SERVICE_DATA_DIR: join(directory, "service"),
  SERVICE_DATABASE_URL: databaseUrl,
  [`SERVICE_RPC_${CHAIN}`]: node.url,
  ...ENDLESS_QUOTAS,
  SERVICE_LOG_LEVEL: "error"
})

export const startServiceProcess = async (options: ServiceProcessOptions = {}): Promise<ServiceProcess> => {
  const { settings = {}, flags = [], ears } = options
  const database = await migratedDatabase()
  const directory = await passableDirectory("service-process-")
  const node = await startFakeNode({ chainId: CHAIN })
  const environment = { ...(await settingsFor(database.url, node, directory)), ...settings }
  const running = await started([...flags, await builtProgram("src/main.ts")], environment, READY, ears)
  let exit: string | undefined
  const ended = running.ended.then(code => {
    exit = code === null ? "ended by a signal" : `ended with ${code}`
    return code
  })
  return {
    pid: running.pid,
    announced: running.announced,
    tell: running.tell,
    turnAway: running.turnAway,
    ended,
    url: `http://127.0.0.1:${environment.SERVICE_PORT}`,
    opsUrl: `http://127.0.0.1:${environment.SERVICE_OPS_PORT}`,
    audience: `http://localhost:${environment.SERVICE_PORT}`,
    dataDirectory: environment.SERVICE_DATA_DIR,
    node,
    exit: () => exit,
    stop: async () => {
      await running.kill()
      await node.stop()
      await database.drop()
      await rm(directory, { recursive: true, force: true })
    }
  }
}
