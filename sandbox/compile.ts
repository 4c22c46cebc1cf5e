/** Compiles the sandbox's Solidity; run as a script, from the project's root, it writes the artifacts, or puts them elsewhere. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

interface Compiled {
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

interface Compiler {
  readonly compile: (
    input: string,
    callbacks: { readonly import: (path: string) => { readonly contents: string } }
  ) => string
}

const SOURCES = join("sandbox", "contracts")
const ARTIFACTS = join("sandbox", "artifacts")
const require = createRequire(import.meta.url)
const forwarder = "@openzeppelin/contracts/metatx/ERC2771Forwarder.sol"

const settings = {
  optimizer: { enabled: true, runs: 1 },
  viaIR: true,
  evmVersion: "cancun",
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } }
}

const compileSandbox = (): Record<string, Compiled> => {
  const names = readdirSync(SOURCES).filter(name => name.endsWith(".sol"))
  const input = {
    language: "Solidity",
    settings,
    sources: Object.fromEntries([...names, forwarder].map(name => [name, { content: readSource(name) }]))
  }
  const readImport = (path: string) => ({ contents: readSource(path) })
  const solc: Compiler = require("solc")
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

const artifactText = (contractName: string, compiled: Compiled): string =>
  `${JSON.stringify({ contractName, ...compiled })}\n`

const compiledOf = ({ abi, evm }: ContractOutput): Compiled => ({
  abi,
  bytecode: `0x${evm.bytecode.object}`,
  deployedBytecode: `0x${evm.deployedBytecode.object}`
})

const readSource = (path: string): string =>
  readFileSync(path.startsWith("@") ? require.resolve(path) : join(SOURCES, path), "utf8")

const writeArtifacts = (directory: string): void => {
  const compiled = Object.entries(compileSandbox())
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory)
  for (const [name, contract] of compiled) {
    writeFileSync(join(directory, `${name}.json`), artifactText(name, contract))
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeArtifacts(process.argv[2] ?? ARTIFACTS)
}
