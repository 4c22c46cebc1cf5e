import { setFlagsFromString } from "node:v8"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { program } from "./main/Program.ts"
import { settingRows } from "./settings/register.ts"

const help = (): string =>
  [
    "Starts the service. Without a configured database or chain it embeds its own.",
    "",
    "Settings are environment variables:",
    ...settingRows.map(
      ({ name, takes, standard, help }) => `  ${name}\n      ${help} Takes ${takes}; default: ${standard}.`
    ),
    ""
  ].join("\n")

/** V8 collects the whole of a slowly growing heap after a tenth of growth: twice its size takes as much memory as load does, and the pauses rarely come. */
setFlagsFromString("--heap-growing-percent=100")

/** npm passes a terminal's signal on a second time; an orderly stop must not die of it. */
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {})

/** Where nobody reads its lines any more, or can keep them, the service goes on without them. */
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})

const tell = (failure: { readonly message: string }) =>
  Effect.sync(() => {
    process.stderr.write(`${failure.message}\n`)
    process.exitCode = 1
  })

if (process.argv.includes("--help")) process.stdout.write(help())
else
  NodeRuntime.runMain(
    program.pipe(
      Effect.catchTags({
        StartFailure: tell,
        InvalidSettings: tell,
        DATABASE_UNAVAILABLE: () =>
          tell({ message: "The database went away during the start; start again once it is back." }),
        CATALOG_INTEGRITY: failure =>
          tell({
            message: `The pinned catalog does not match its hashes (${JSON.stringify(failure.context ?? {})}); reinstall the package.`
          })
      })
    )
  )
