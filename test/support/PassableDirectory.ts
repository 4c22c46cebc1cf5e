/** Temporary directories that root's PostgreSQL, which runs as another user, may pass: its database lies in them and goes with them. */
import { chmod, mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const passableDirectory = async (prefix: string): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), prefix))
  await chmod(path, 0o755)
  return path
}
