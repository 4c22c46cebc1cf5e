/** Generated code as the formatter leaves it. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"

export interface GeneratedFile {
  readonly path: string
  readonly text: string
}

export const formatted = (path: string, text: string): GeneratedFile => ({
  path,
  text: execFileSync(
    join("node_modules", ".bin", "biome"),
    ["check", "--write", `--stdin-file-path=${path}`],
    { input: text, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] }
  )
})
