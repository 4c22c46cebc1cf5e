/** Compiles the sandbox's Solidity, from the project's root: all of it, or what is named of that in folders. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { parseArgs } from "node:util"

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

/** The core needs the pipeline that takes ten times as long; what stands in folders is written to do without. */
const settingsFor = (sources: ReadonlyArray<string>) => ({
  optimizer: { enabled: true, runs: 1 },
  viaIR: sources.includes(forwarder),
  evmVersion: "cancun",
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } }
})

const sources: ReadonlyArray<string> = readdirSync(SOURCES, { recursive: true })
  .map(String)
  .filter(source => source.endsWith(".sol"))

/** Those in folders one by one, so that what one compiles to does not depend on which others are compiled. */
const compileSandbox = (named: ReadonlyArray<string>): Record<string, Compiled> => {
  const core = named.length === 0 ? [...sources.filter(source => dirname(source) === "."), forwarder] : []
  const others = sources.filter(
    source => dirname(source) !== "." && (named.length === 0 || named.includes(basename(source, ".sol")))
  )
  return Object.assign({}, ...[core, ...others.map(other => [other])].map(compileSources))
}

const compileSources = (sources: ReadonlyArray<string>): Record<string, Compiled> => {
  if (sources.length === 0) return {}
  const input = {
    language: "Solidity",
    settings: settingsFor(sources),
    sources: Object.fromEntries(sources.map(source => [source, { content: readSource(source) }]))
  }
  const readImport = (path: string) => ({ contents: readSource(path) })
  const solc: Compiler = require("solc")
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }))
  const failures = (output.errors ?? []).filter(({ severity }) => severity === "error")
  if (failures.length > 0)
    throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join("\n"))
  const compiled: Record<string, Compiled> = {}
  for (const source of sources) {
    const name = basename(source, ".sol")
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

const { values, positionals } = parseArgs({
  options: { into: { type: "string", default: ARTIFACTS } },
  allowPositionals: true
})

const compiled = Object.entries(compileSandbox(positionals))
if (positionals.length === 0) rmSync(values.into, { recursive: true, force: true })
mkdirSync(values.into, { recursive: true })
for (const [name, contract] of compiled)
  writeFileSync(join(values.into, `${name}.json`), artifactText(name, contract))
