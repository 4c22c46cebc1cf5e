/** The password of the database's role is replaced as docs/operating/secret-rotation.md says, in a cluster as ops/compose.yaml makes it. */
import { randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { afterAll, assert, inject, it } from "vitest"
import { migrated } from "../support/MigratedDatabase.ts"
import { connected, sqlOn } from "../support/Sql.ts"
import { inOps } from "./support/Ops.ts"

const NAME = `service_${randomBytes(8).toString("hex")}`
const SECOND = `${NAME}_second`
const THIRD = `${NAME}_third`

const administer = (statement: string) => sqlOn(inject("postgresUrl"), statement)

const urlOf = (role: string) => {
  const url = new URL(inject("postgresUrl"))
  url.username = role
  url.password = "a-password"
  url.pathname = `/${NAME}`
  return url.href
}

const making = async () =>
  (await readFile(inOps("database", "service.sql"), "utf8"))
    .split("\n")
    .filter(line => line.startsWith("CREATE "))
    .map(line => line.replace(":'password'", "'a-password'").replaceAll(/\bservice\b/g, NAME))

const replace = async (former: string, next: string) => {
  await administer(`CREATE ROLE ${next} LOGIN PASSWORD 'a-password' IN ROLE ${former}`)
  assert.strictEqual(await migrated(urlOf(next)), 0)
  await sqlOn(urlOf(next), `ALTER TABLE accounts ADD COLUMN ${next} text`)
  await sqlOn(urlOf(next), `CREATE TABLE of_${next} ()`)
  await administer(`ALTER ROLE ${former} NOLOGIN`)
  const refusal = await connected(urlOf(former)).catch(cause => cause)
  assert.strictEqual(refusal.code, "28000")
}

afterAll(async () => {
  await administer(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`)
  for (const role of [THIRD, SECOND, NAME]) await administer(`DROP ROLE IF EXISTS ${role}`)
})

it("a second role, and a third after it, do what the first one did, and none is a superuser", async () => {
  for (const statement of await making()) await administer(statement)
  assert.isAbove(await migrated(urlOf(NAME)), 0)
  await replace(NAME, SECOND)
  await replace(SECOND, THIRD)
  await sqlOn(urlOf(THIRD), `ALTER TABLE of_${SECOND} ADD COLUMN more text`)
  const roles = await administer(`SELECT rolsuper FROM pg_roles WHERE rolname LIKE '${NAME}%'`)
  assert.deepStrictEqual(
    roles,
    [NAME, SECOND, THIRD].map(() => ({ rolsuper: false }))
  )
})
