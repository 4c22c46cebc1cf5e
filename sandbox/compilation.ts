/** The sandbox's Solidity: what each source is compiled from, what it compiles to, and the record that ties one to the other. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"

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

export interface Compilation {
  /** Every other source that the compiler asked for. */
  readonly reads: ReadonlyArray<string>
  /** What goes into the artifact's file; undefined without code of its own. */
  readonly artifact: string | undefined
}

/** One line of the record: hashes of all that the compiler was given and of what came out. */
export interface Recorded {
  readonly reads: ReadonlyArray<string>
  readonly input: string
  readonly artifact: string | null
}

const SOURCES = join("sandbox", "contracts")
const require = createRequire(import.meta.url)
const FORWARDER = "@openzeppelin/contracts/metatx/ERC2771Forwarder.sol"
const OUTPUTS = ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"]

export const contractName = (source: string): string => basename(source, ".sol")

/** The core needs the pipeline that takes ten times as long; what stands in folders is written to do without. */
const settingsFor = (source: string) => ({
  optimizer: { enabled: true, runs: 1 },
  viaIR: source === FORWARDER || dirname(source) === ".",
  evmVersion: "cancun",
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { [source]: { [contractName(source)]: OUTPUTS } }
})

export const sources = (): ReadonlyArray<string> =>
  [...readdirSync(SOURCES, { recursive: true }).map(String), FORWARDER]
    .filter(source => source.endsWith(".sol"))
    .sort()

const readSource = (path: string, directory = SOURCES): string =>
  readFileSync(path.startsWith("@") ? require.resolve(path) : join(directory, path), "utf8")

const artifactText = (source: string, { abi, evm }: ContractOutput): string => {
  const compiled = {
    contractName: contractName(source),
    abi,
    bytecode: `0x${evm.bytecode.object}`,
    deployedBytecode: `0x${evm.deployedBytecode.object}`
  }
  return `${JSON.stringify(compiled)}\n`
}

/** Alone, so that what it compiles to does not depend on which others are compiled. */
export const compileSource = (source: string, directory = SOURCES): Compilation => {
  const compiler: Compiler = require("solc")
  const reads: Array<string> = []
  const readImport = (path: string) => {
    reads.push(path)
    return { contents: readSource(path, directory) }
  }
  const input = {
    language: "Solidity",
    settings: settingsFor(source),
    sources: { [source]: { content: readSource(source, directory) } }
  }
  const output: Output = JSON.parse(compiler.compile(JSON.stringify(input), { import: readImport }))
  const failures = (output.errors ?? []).filter(({ severity }) => severity === "error")
  if (failures.length > 0)
    throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join("\n"))
  const contract = output.contracts?.[source]?.[contractName(source)]
  const hasCode = contract !== undefined && contract.abi.length > 0 && contract.evm.bytecode.object !== ""
  return { reads: reads.sort(), artifact: hasCode ? artifactText(source, contract) : undefined }
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const inputHash = (source: string, reads: ReadonlyArray<string>): string => {
  const { version } = require("solc/package.json")
  const texts = [source, ...reads].map(path => [path, readSource(path)])
  return sha256(JSON.stringify({ version, settings: settingsFor(source), texts }))
}

/** As the record has it, where the compiler read these sources and this came out; undefined: nothing did. */
export const recordedAs = (source: string, { reads, artifact }: Compilation): Recorded => ({
  reads,
  input: inputHash(source, reads),
  artifact: artifact === undefined ? null : sha256(artifact)
})
