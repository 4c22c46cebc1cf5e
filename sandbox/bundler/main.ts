/** `node dist/sandbox-bundler.js`: carries user operations on a local chain, says where it and its paymaster listen, and ends when it is told to. */
import { join } from "node:path"
import { runBundler } from "./Run.ts"

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

try {
  const rpcUrl = process.env.SANDBOX_BUNDLER_RPC_URL
  if (rpcUrl === undefined) throw new Error("SANDBOX_BUNDLER_RPC_URL is not set")
  const preload = process.env.SANDBOX_BUNDLER_PRELOAD ?? join(import.meta.dirname, "sandbox-loopback.js")
  const { url, paymasterUrl, ended, stop } = await runBundler({
    rpcUrl,
    preload,
    port: Number(process.env.SANDBOX_BUNDLER_PORT ?? 0),
    paymasterPort: Number(process.env.SANDBOX_BUNDLER_PAYMASTER_PORT ?? 0)
  })
  let stopping = false
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      stopping = true
      stop().then(() => process.exit(0))
    })
  ended.then(words => {
    if (stopping) return
    say(`FATAL: the bundler ${words}`)
    process.exit(1)
  })
  say(`Paymaster at ${paymasterUrl}`)
  say(`Listening on ${url}`)
} catch (cause) {
  say(`FATAL: ${cause instanceof Error ? cause.message : String(cause)}`)
  process.exit(1)
}
