/** `node dist/sandbox-index.js <deployments.json>`: follows a local chain, says where it listens, and ends when it is told to. */
import { readFile } from "node:fs/promises"
import { type Address, isAddress } from "viem"
import { runIndex } from "./Run.ts"

const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

interface Deployment {
  readonly alias: string
  readonly address: Address
}

const isDeployment = (value: unknown): value is Deployment =>
  typeof value === "object" &&
  value !== null &&
  "alias" in value &&
  typeof value.alias === "string" &&
  "address" in value &&
  typeof value.address === "string" &&
  isAddress(value.address, { strict: false })

const deployedIn = async (file: string): Promise<Readonly<Record<string, Address>>> => {
  const { deployments }: { readonly deployments: ReadonlyArray<unknown> } = JSON.parse(
    await readFile(file, "utf8")
  )
  return Object.fromEntries(deployments.filter(isDeployment).map(({ alias, address }) => [alias, address]))
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

try {
  const { url, resumed, stop } = await runIndex({
    databaseUrl: setting("SANDBOX_INDEX_DATABASE_URL"),
    rpcUrl: setting("SANDBOX_INDEX_RPC_URL"),
    addresses: await deployedIn(process.argv[2] ?? ""),
    report: say
  })
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stop().then(() => process.exit(0)))
  say(`${resumed ? "Resumed" : "Began"} the history of the local chain.`)
  say(`Listening on ${url}`)
} catch (cause) {
  say(`FATAL: ${cause instanceof Error ? cause.message : String(cause)}`)
  process.exit(1)
}
