/** A package directory with only what a run's contracts need of the catalog: most of a start is the reading of the rest. */
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { sha256 } from "../../../src/catalog/Abi.ts"
import { packageRoot } from "../../../src/settings/PackageRoot.ts"
import { canonicalJson } from "../../../src/values/CanonicalJson.ts"

interface Row {
  readonly id?: string
  readonly contractId?: string
  readonly chainId?: number
  readonly abiHash: string | null
}

/** Contracts that the overlay leaves without an ABI take that of their published deployment, which one chain shows. */
const SHOWN_CHAIN = 8453

/** What payments may meet beside the contracts that the run deploys. */
const MET_BY_PAYMENTS = [
  "JB721TiersHook",
  "JB721TiersHookLib",
  "JB721TiersHookStore",
  "JBBuybackHook",
  "JBBuybackHookRegistry",
  "JBERC20",
  "JBFeelessAddresses",
  "JBOmnichainDeployer",
  "JBRouterTerminal",
  "JBRouterTerminalGateway",
  "JBRouterTerminalRegistry",
  "JBSuckerRegistry",
  "REVOwner"
]

export interface Deployed {
  readonly deployments: ReadonlyArray<{ readonly contractId: string }>
}

/** Where a script of that package would lie. */
export const leanHome = async (directory: string, { deployments }: Deployed): Promise<string> => {
  const from = join(packageRoot, "schema", "protocol")
  const to = join(directory, "schema", "protocol")
  await mkdir(to, { recursive: true })
  const read = (file: string) => readFile(join(from, file), "utf8")
  const rows = async (file: string): Promise<ReadonlyArray<Row>> => JSON.parse(await read(file))
  const deployed = new Set(deployments.map(({ contractId }) => contractId))
  const contracts = (await rows("contracts.json")).filter(
    ({ id = "" }) => deployed.has(id) || MET_BY_PAYMENTS.includes(id.split(":").at(-1) ?? "")
  )
  const used = new Set(contracts.map(({ id = "" }) => id))
  const published = (await rows("deployments.json")).filter(
    ({ contractId = "", chainId }) => used.has(contractId) && chainId === SHOWN_CHAIN
  )
  const hashes = new Set([...contracts, ...published].map(({ abiHash }) => abiHash))
  const abis = (await read("abis.ndjson")).split("\n").filter(line => hashes.has(sha256(line)))
  const { files: _files, inventoryHash: _hash, ...manifest } = JSON.parse(await read("manifest.json"))
  const contents: Readonly<Record<string, string>> = {
    "packages.json": await read("packages.json"),
    "contracts.json": JSON.stringify(contracts),
    "deployments.json": JSON.stringify(published),
    "exclusions.json": "[]",
    "abis.ndjson": abis.map(line => `${line}\n`).join("")
  }
  const files = Object.fromEntries(Object.entries(contents).map(([file, text]) => [file, sha256(text)]))
  const stated = { ...manifest, files }
  const pinned = {
    ...contents,
    "manifest.json": JSON.stringify({ ...stated, inventoryHash: sha256(canonicalJson(stated)) })
  }
  await Promise.all(Object.entries(pinned).map(([file, text]) => writeFile(join(to, file), text)))
  await writeFile(join(directory, "package.json"), "{}")
  const whole = (await readdir(join(packageRoot, "schema"), { withFileTypes: true })).flatMap(entry =>
    entry.isDirectory() && entry.name !== "protocol" ? [join("schema", entry.name)] : []
  )
  for (const name of ["migrations", "docs", "node_modules", ...whole])
    await symlink(join(packageRoot, name), join(directory, name))
  return pathToFileURL(join(directory, "service.js")).href
}
