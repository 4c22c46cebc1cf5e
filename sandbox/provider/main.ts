/** `node dist/sandbox-provider.js`: carries forward requests on a local chain for what is paid, says where it listens, and ends when it is told to. */
import { runProvider } from "./Run.ts"

const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

try {
  const { url, payments, stop } = await runProvider({
    rpcUrl: setting("SANDBOX_PROVIDER_RPC_URL"),
    file: setting("SANDBOX_PROVIDER_FILE"),
    token: process.env.SANDBOX_PROVIDER_TEST_TOKEN,
    port: Number(process.env.SANDBOX_PROVIDER_PORT ?? 0),
    report: say
  })
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stop().then(() => process.exit(0)))
  say(`Paid at ${payments}`)
  say(`Listening on ${url}`)
} catch (cause) {
  say(`FATAL: ${cause instanceof Error ? cause.message : String(cause)}`)
  process.exit(1)
}
