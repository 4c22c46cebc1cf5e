/** Temporary directories that end with the test's scope. */
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

export const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "service-embedded-"))),
  directory => Effect.promise(() => rm(directory, { recursive: true, force: true }))
)

/** PostgreSQL runs as another user than root, who has to enter the directory. */
export const sharedDirectory = Effect.tap(temporaryDirectory, directory =>
  Effect.promise(() => chmod(directory, 0o755))
)
