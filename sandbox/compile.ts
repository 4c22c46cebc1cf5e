/** Compiles the sandbox's Solidity, from the project's root: all of it, or what is named. */
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
const FORWARDER = "@openzeppelin/contracts/metatx/ERC2771Forwarder.sol"
const OUTPUTS = ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"]

/** The core needs the pipeline that takes ten times as long; what stands in folders is written to do without. */
const settingsFor = (source: string) => ({
  optimizer: { enabled: true, runs: 1 },
  viaIR: source === FORWARDER || dirname(source) === ".",
  evmVersion: "cancun",
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { [source]: { [basename(source, ".sol")]: OUTPUTS } }
})

const sources: ReadonlyArray<string> = [
  ...readdirSync(SOURCES, { recursive: true })
    .map(String)
    .filter(source => source.endsWith(".sol")),
  FORWARDER
]

const compiler: Compiler = require("solc")

const readImport = (path: string) => ({ contents: readSource(path) })

/** Alone, so that what it compiles to does not depend on which others are compiled; undefined without code of its own. */
const compileSource = (source: string): Compiled | undefined => {
  const input = {
    language: "Solidity",
    settings: settingsFor(source),
    sources: { [source]: { content: readSource(source) } }
  }
  const output: Output = JSON.parse(compiler.compile(JSON.stringify(input), { import: readImport }))
  const failures = (output.errors ?? []).filter(({ severity }) => severity === "error")
  if (failures.length > 0)
    throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join("\n"))
  const contract = output.contracts?.[source]?.[basename(source, ".sol")]
  return contract !== undefined && contract.abi.length > 0 && contract.evm.bytecode.object !== ""
    ? compiledOf(contract)
    : undefined
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

if (positionals.length === 0) rmSync(values.into, { recursive: true, force: true })
mkdirSync(values.into, { recursive: true })
for (const source of sources) {
  const name = basename(source, ".sol")
  const compiled = positionals.length === 0 || positionals.includes(name) ? compileSource(source) : undefined
  if (compiled !== undefined) writeFileSync(join(values.into, `${name}.json`), artifactText(name, compiled))
}
