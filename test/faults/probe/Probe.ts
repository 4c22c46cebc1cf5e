/** The real service as a process with a probe in it. */
import { pathToFileURL } from "node:url"
import { builtProgram } from "../../support/BuiltProgram.ts"
import {
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess
} from "../../support/ServiceProcess.ts"
import { isLook, LOOK, type Look } from "./Words.ts"

export interface ProbedService extends ServiceProcess {
  /** One look after the other; fails where the process has ended. */
  readonly look: () => Promise<Look>
}

export const startProbed = async (options: ServiceProcessOptions = {}): Promise<ProbedService> => {
  let told = (_look: Look) => {}
  const message = (said: unknown) => {
    if (isLook(said)) told(said)
  }
  const probe = pathToFileURL(await builtProgram("test/faults/probe/probeMain.ts")).href
  const service = await startServiceProcess({
    ...options,
    flags: [...(options.flags ?? []), "--import", probe],
    ears: { message, line: () => {} }
  })
  const look = async (): Promise<Look> => {
    const looked = new Promise<Look>(resolve => {
      told = resolve
    })
    service.tell(LOOK)
    const found = await Promise.race([looked, service.ended.then(() => undefined)])
    if (found === undefined) throw new Error(`the service ${service.exit()}`)
    return found
  }
  return { ...service, look }
}
