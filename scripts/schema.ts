/** `npm run schema` writes the verdicts of a claim, the types of contracts' functions, and the committed descriptions of the API and of the database. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { migrate } from "../src/database/Migrations.ts"
import { poolLayer } from "../src/database/Pool.ts"
import { EmbeddedPostgres } from "../src/embedded/Postgres.ts"
import { Api } from "../src/http/api/Api.ts"
import { describeApi } from "../src/http/OpenApiDocument.ts"
import { claimVerdicts } from "./schema/ClaimVerdicts.ts"
import { contractFunctions } from "./schema/ContractFunctions.ts"
import { databaseListing } from "./schema/DatabaseListing.ts"
import { NEUTRAL_AUDIENCE } from "./schema/Neutral.ts"

const write = (path: string, text: string) => Effect.promise(() => writeFile(path, text))

const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "service-schema-"))),
  directory => Effect.promise(() => rm(directory, { recursive: true, force: true }))
)

const listing = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const { url } = yield* EmbeddedPostgres.start(join(directory, "data"), { elsewhere: directory })
  return yield* Effect.provide(
    Effect.zipRight(migrate("migrations"), databaseListing),
    poolLayer({ url, connections: 2 })
  )
}).pipe(Effect.scoped)

await Effect.runPromise(
  Effect.gen(function* () {
    const written = { ...claimVerdicts, ...(yield* contractFunctions) }
    yield* Effect.forEach(Object.entries(written), ([path, text]) => write(path, text))
    yield* write("schema/openapi.json", `${JSON.stringify(describeApi(Api)(NEUTRAL_AUDIENCE), null, 2)}\n`)
    yield* write("schema/database.sql", yield* listing)
  })
)
