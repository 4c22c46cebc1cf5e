import { assert, it } from "vitest"
import { runDeploys } from "./deploys/Campaign.ts"

it("replicas that are replaced under load leave no request that they took up unanswered or done twice", {
  timeout: 900_000
}, async () => {
  const options = { handovers: 8, seed: 20_261_122, replicas: 3, clients: 3 }
  const { verdicts, record } = await runDeploys({ ...options, say: () => {} })
  assert.deepStrictEqual(
    verdicts.filter(({ violations }) => violations.length > 0),
    []
  )
  assert.isAbove(Number(record.relays), 20)
})
