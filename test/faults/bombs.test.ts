import { afterAll, assert, it } from "vitest"
import { Api } from "../../src/http/api/Api.ts"
import { placesOf } from "../../src/http/Places.ts"
import { type Bomb, bombs, wordsOf } from "./bombs/Bombs.ts"
import { throwing } from "./bombs/Throw.ts"
import { campaign } from "./Campaign.ts"
import { startProbed } from "./probe/Probe.ts"
import type { Look } from "./probe/Words.ts"

const allRoutes = placesOf(Api)

/** One of so many; of four it takes every kind to every route. */
const { seed, sizes, asked, report } = campaign("bombs", { every: 149 })

const HEAP_MEGABYTES = 512
const MOST_MILLIS = 50
const IDLE_SECONDS = 5
/** What others on the machine did to it does not come again. */
const SUSPECTS = 20
const REPEATS = 5
const UNCONFIGURED = ["INDEXER_NOT_CONFIGURED", "REVIEW_NOT_CONFIGURED"]

const service = await startProbed({ flags: [`--max-old-space-size=${HEAP_MEGABYTES}`] })
const send = throwing(service, seed)

afterAll(() => service.stop())

interface Stall {
  readonly bomb: Bomb
  readonly look: Look
}

const rounded = (millis: number) => Math.round(millis * 10) / 10

const longer = (left: Stall, right: Stall) => right.look.stallMillis - left.look.stallMillis

const idle = async (): Promise<number> => {
  await service.look()
  const seconds = asked ? IDLE_SECONDS : 0
  await new Promise(resolve => setTimeout(resolve, seconds * 1_000))
  return (await service.look()).stallMillis
}

/** Alone and several times over: its shortest stall is the bomb's own. */
const again = async ({ bomb, look }: Stall): Promise<Stall> => {
  let least = look
  for (let round = 0; round < REPEATS; round++) {
    await service.look()
    await send(bomb)
    const found = await service.look()
    if (found.stallMillis < least.stallMillis) least = found
  }
  return { bomb, look: least }
}

const codeOf = (body: string): string => {
  const parsed: { readonly code?: string } = body.startsWith("{") ? JSON.parse(body) : {}
  return parsed.code ?? "OK"
}

const answeredWrongly = (status: number, code: string) => status >= 500 && !UNCONFIGURED.includes(code)

it("no small request that anybody may send stops the process or holds its loop", {
  timeout: asked ? 36_000_000 : 300_000
}, async () => {
  const idleMillis = await idle()
  const codes: Record<string, number> = {}
  const broken: Array<string> = []
  const routes = new Set<string>()
  let stalls: ReadonlyArray<Stall> = []
  let count = 0
  for (const bomb of bombs(sizes.every, seed)) {
    const answer = await send(bomb)
    const look = await service.look()
    const code = answer === undefined ? "unanswered" : codeOf(answer.body)
    if (answer === undefined || answeredWrongly(answer.status, code)) broken.push(`${wordsOf(bomb)}: ${code}`)
    codes[code] = (codes[code] ?? 0) + 1
    routes.add(bomb.route)
    stalls = [...stalls, { bomb, look }].sort(longer).slice(0, SUSPECTS)
    count++
    if (asked && count % 5_000 === 0) console.log(`${count} bombs, ${broken.length} broken`)
  }
  const repeated = []
  for (const stall of asked ? stalls : []) repeated.push(await again(stall))
  const worst = repeated.sort(longer).map(({ bomb, look }) => ({
    bomb: wordsOf(bomb),
    millis: rounded(look.stallMillis),
    cpuMillis: rounded(look.stallCpuMillis)
  }))
  const [longest] = worst
  const alive = (await fetch(`${service.url}/api/v1`)).status
  report({
    ...sizes,
    bombs: count,
    routes: routes.size,
    codes,
    idleMillis: rounded(idleMillis),
    longest,
    deaths: service.exit() === undefined ? 0 : 1,
    violations: broken.length
  })
  if (asked) for (const each of worst) console.log(JSON.stringify(each))
  assert.deepStrictEqual(broken, [])
  assert.strictEqual(alive, 200)
  assert.containsAllKeys(codes, [
    "AUTH_REQUIRED",
    "INVALID_SIGNATURE",
    "ACCOUNT_NOT_FOUND",
    "JSON_TOO_COMPLEX"
  ])
  if (asked && sizes.every <= 4) assert.strictEqual(routes.size, allRoutes.length)
  if (longest !== undefined) assert.isBelow(longest.millis - idleMillis, MOST_MILLIS, longest.bomb)
})
