// Compiles the sandbox's Solidity to artifacts; run as a script it writes them to sandbox/artifacts.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import solc from "solc"

export interface Compiled {
  readonly abi: ReadonlyArray<unknown>
  readonly bytecode: string
  readonly deployedBytecode: string
}

interface Output {
  readonly errors?: ReadonlyArray<{ readonly severity: string; readonly formattedMessage: string }>
  readonly contracts?: Record<string, Record<string, ContractOutput>>
}

interface ContractOutput {
  readonly abi: ReadonlyArray<unknown>
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: { readonly object: string }
  }
}

const sources = new URL("./contracts/", import.meta.url)
const artifacts = new URL("./artifacts/", import.meta.url)
const forwarder = "@openzeppelin/contracts/metatx/ERC2771Forwarder.sol"

const settings = {
  optimizer: { enabled: true, runs: 1 },
  viaIR: true,
  evmVersion: "cancun",
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } }
}

export const compileSandbox = (): Record<string, Compiled> => {
  const names = readdirSync(sources).filter(name => name.endsWith(".sol"))
  const input = {
    language: "Solidity",
    settings,
    sources: Object.fromEntries([...names, forwarder].map(name => [name, { content: readSource(name) }]))
  }
  const readImport = (path: string) => ({ contents: readSource(path) })
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }))
  const failures = (output.errors ?? []).filter(({ severity }) => severity === "error")
  if (failures.length > 0)
    throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join("\n"))
  const compiled: Record<string, Compiled> = {}
  for (const source of [...names, forwarder]) {
    const name = source.slice(source.lastIndexOf("/") + 1, -".sol".length)
    const contract = output.contracts?.[source]?.[name]
    if (contract !== undefined && contract.abi.length > 0 && contract.evm.bytecode.object !== "")
      compiled[name] = compiledOf(contract)
  }
  return compiled
}

export const artifactText = (contractName: string, compiled: Compiled): string =>
  `${JSON.stringify({ contractName, ...compiled })}\n`

const compiledOf = ({ abi, evm }: ContractOutput): Compiled => ({
  abi,
  bytecode: `0x${evm.bytecode.object}`,
  deployedBytecode: `0x${evm.deployedBytecode.object}`
})

const readSource = (path: string): string =>
  readFileSync(
    path.startsWith("@") ? createRequire(import.meta.url).resolve(path) : new URL(path, sources),
    "utf8"
  )

const writeArtifacts = (): void => {
  const compiled = Object.entries(compileSandbox())
  rmSync(artifacts, { recursive: true, force: true })
  mkdirSync(artifacts)
  for (const [name, contract] of compiled) {
    writeFileSync(new URL(`${name}.json`, artifacts), artifactText(name, contract))
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) writeArtifacts()
