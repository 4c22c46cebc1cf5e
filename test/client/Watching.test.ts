/** How often what is not decided is looked at: when the service says. */
import { assert, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { heldSystem } from "./support/HeldSystem.ts"
import { accountOf, newKey } from "./support/Parties.ts"
import { json, type Scripted, scriptedFetch } from "./support/ScriptedFetch.ts"

const SERVICE = "http://service.test"

const clientFor = (script: ReadonlyArray<Scripted>) => {
  const signer = newKey()
  const system = heldSystem(1_800_000_000_000)
  const { fetch, sent } = scriptedFetch(script)
  const identity = { account: accountOf(signer.address), signer, audience: SERVICE }
  return { client: createClient({ baseUrl: SERVICE, ...identity, system, fetch }), system, sent }
}

const shown = (state: string, nextAction: unknown) => json(200, { state, nextAction, observations: [] })

it("a sponsorship is looked at again when it says so", async () => {
  const { client, system, sent } = clientFor([
    shown("submitting", { kind: "wait", retryAfterMs: 1_000 }),
    shown("submission_unknown", { kind: "wait", retryAfterMs: 30_000 }),
    shown("submission_unknown", { kind: "wait", retryAfterMs: 30_000 }),
    shown("executing", { kind: "wait" }),
    shown("completed", { kind: "none" })
  ])
  const states: Array<string> = []
  await client.sponsorships.watch("8b7c5f0a", { onProgress: ({ state }) => states.push(state) })
  assert.deepStrictEqual(states, ["submitting", "submission_unknown", "executing", "completed"])
  assert.deepStrictEqual(system.slept, [1_000, 30_000, 30_000, 500])
  assert.isTrue(sent.every(({ url }) => url.endsWith("?refresh=true")))
})
