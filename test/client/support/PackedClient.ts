/** The client as its own package, packed once in a run of the suite and laid where an empty folder finds it. */
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { packageRoot } from "../../../src/settings/PackageRoot.ts"
import { COMPILER_ENVIRONMENT, compiler } from "../../compile/Compiler.ts"
import { oncePerRun } from "../../support/OncePerRun.ts"

const run = promisify(execFile)

export interface PackedClient {
  /** Holds nothing but `node_modules/signed-request-client`. */
  readonly folder: string
  /** Where the package is. */
  readonly directory: string
  readonly packedBytes: number
  readonly remove: () => Promise<void>
}

const packedInto = async (folder: string): Promise<string> => {
  await run(process.execPath, [join(packageRoot, "scripts", "pack-client.mjs"), folder], {
    cwd: packageRoot,
    env: COMPILER_ENVIRONMENT
  })
  const [tarball = "absent"] = await readdir(folder)
  return join(folder, tarball)
}

export const packedClient = async (): Promise<PackedClient> => {
  const folder = await mkdtemp(join(tmpdir(), "packed-client-"))
  const tarball = await oncePerRun("packed-client", async kept =>
    packedInto(kept === undefined ? folder : await mkdtemp(join(kept, "client-")))
  )
  const directory = join(folder, "node_modules", "signed-request-client")
  await mkdir(directory, { recursive: true })
  await run("tar", ["xzf", tarball, "--strip-components=1", "-C", directory])
  const { size } = await stat(tarball)
  await rm(join(folder, basename(tarball)), { force: true })
  return { folder, directory, packedBytes: size, remove: () => rm(folder, { recursive: true, force: true }) }
}

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  module: "NodeNext",
  target: "ES2023",
  lib: ["ES2023", "DOM", "DOM.Iterable"],
  noEmit: true,
  allowImportingTsExtensions: true,
  resolveJsonModule: true
}

/** The compiler's complaints about the files, which lie in the folder; `types` are packages of ours that it may see beside the client. */
export const complaints = async (
  { folder }: Pick<PackedClient, "folder">,
  files: ReadonlyArray<string>,
  types: ReadonlyArray<string> = []
): Promise<string> => {
  const compilerOptions = { ...OPTIONS, types, skipLibCheck: types.length > 0 }
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }))
  return run(process.execPath, compiler("-p", folder), { cwd: folder, env: COMPILER_ENVIRONMENT }).then(
    () => "",
    ({ stdout }) => String(stdout)
  )
}
