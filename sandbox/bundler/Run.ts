/** The running bundler of a local chain, and the paymaster beside it. */
import { installedAlto, startAlto } from "./Alto.ts"
import { Chain, ENTRY_POINT, EXECUTOR, UTILITY } from "./Chain.ts"
import { Paymaster } from "./Paymaster.ts"
import { servePaymaster } from "./Server.ts"

export interface BundlerOptions {
  readonly rpcUrl: string
  /** The program of loopback.ts. */
  readonly preload: string
  /** The bundler's own, in place of the package's file. */
  readonly program?: string
  /** Any free ones where they are 0. */
  readonly port: number
  readonly paymasterPort: number
}

export interface RunningBundler {
  readonly url: string
  readonly paymasterUrl: string
  /** Ends with the bundler's last words. */
  readonly ended: Promise<string>
  readonly stop: () => Promise<void>
}

export const runBundler = async (options: BundlerOptions): Promise<RunningBundler> => {
  const { rpcUrl, preload, port, paymasterPort } = options
  const program = options.program ?? installedAlto()
  if (program === undefined) throw new Error('The bundler is not installed: run "npm install".')
  const chain = new Chain(rpcUrl)
  await chain.standing()
  await chain.fund()
  await chain.fill()
  const server = await servePaymaster(new Paymaster(chain), paymasterPort)
  const launch = { rpcUrl, preload, port, entryPoint: ENTRY_POINT, executor: EXECUTOR, utility: UTILITY }
  const alto = await startAlto(program, launch).catch(async cause => {
    await server.stop()
    throw cause
  })
  const stop = async () => {
    await server.stop()
    await alto.stop()
  }
  return { url: alto.url, paymasterUrl: server.url, ended: alto.ended, stop }
}
