/** S3: what was signed for one place is good in no other, over every pair of places. */
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, it } from "vitest"
import { enroll, newBot } from "../support/Bots.ts"
import { fastHeaders, namedOwner, type Signer } from "../support/FastSign.ts"
import { startService } from "../support/Service.ts"
import type { Party } from "../support/SignedFetch.ts"

const ME = "/api/v1/accounts/me"

interface Place {
  readonly name: string
  readonly signer: Signer
  readonly audience: string
  readonly method: string
  readonly target: string
  readonly contentType?: string
  readonly body?: string
  readonly type?: "ServiceBotProof"
}

const partyOf = (signer: Signer): Party => ({ ...signer, key: privateKeyToAccount(signer.key.privateKey) })

const signersOf = async (): Promise<ReadonlyArray<readonly [string, Signer]>> => {
  const first = namedOwner("replay first")
  const second = namedOwner("replay second")
  const elsewhere = namedOwner("replay first", 1)
  for (const owner of [first, second, elsewhere]) await enroll(service, partyOf(owner))
  const bot = { ...namedOwner("replay bot"), accountId: first.accountId }
  const key = privateKeyToAccount(bot.key.privateKey)
  const reading = await newBot(service, partyOf(first), { key })
  const planning = await newBot(service, partyOf(first), { key, scopes: ["read", "plan"] })
  return [
    ["owner", first],
    ["other owner", second],
    ["owner on another chain", elsewhere],
    ["reading bot", { ...bot, grantId: reading.grantId }],
    ["planning bot", { ...bot, grantId: planning.grantId }]
  ]
}

const service = await startService({
  settings: { quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }, maximumInWork: 4096 }
})
const { audience } = service
const json = { contentType: "application/json", body: "{}" }
const requests: ReadonlyArray<Omit<Place, "name" | "signer">> = [
  { method: "GET", target: ME, audience },
  { method: "GET", target: ME, audience, contentType: "text/plain" },
  { method: "GET", target: `${ME}/bots`, audience },
  { method: "PATCH", target: ME, audience, ...json },
  { method: "PATCH", target: ME, audience, ...json, body: '{"bio":"a"}' },
  { method: "POST", target: "/api/v1/accounts/enroll", audience, ...json },
  { method: "GET", target: "/api/v1/plans", audience },
  { method: "GET", target: "/api/v1/plans?limit=1", audience },
  { method: "GET", target: ME, audience: "https://other.example" },
  { method: "GET", target: ME, audience, type: "ServiceBotProof" }
]
const places = (await signersOf()).flatMap(([who, signer]) =>
  requests.map(request => ({
    ...request,
    signer,
    name: `${who} ${request.method} ${request.target} ${request.contentType ?? ""} ${request.body ?? ""} ${request.audience} ${request.type ?? ""}`
  }))
)

afterAll(() => service.stop())

const present = async (signed: Place, at: Place): Promise<number> => {
  const own = fastHeaders(at.signer, at)
  const taken = fastHeaders(signed.signer, signed)
  const copied = [
    "X-Service-Nonce",
    "X-Service-Issued-At",
    "X-Service-Expires-At",
    "X-Service-Signature"
  ].map(name => [name, taken[name] ?? ""] as const)
  const answer = await fetch(`${service.url}${at.target}`, {
    method: at.method,
    headers: { ...own, ...Object.fromEntries(copied) },
    ...(at.body === undefined ? {} : { body: at.body })
  })
  await answer.arrayBuffer()
  return answer.status
}

it("a signature is good where it was made, or nowhere", { timeout: 120_000 }, async () => {
  const wrong: Array<string> = []
  let cells = 0
  const real = places.filter(({ audience, type }) => audience === service.audience && type === undefined)
  for (const signed of places)
    await Promise.all(
      real.map(async at => {
        const status = await present(signed, at)
        cells += 1
        const isHome = signed === at
        const isOwners = at.method === "GET" && at.target !== `${ME}/bots`
        const mayPass = isHome && (at.signer.grantId === undefined || isOwners)
        if (mayPass ? status !== 200 : status !== 401 && status !== 403)
          wrong.push(`${signed.name} at ${at.name}: ${status}`)
      })
    )
  assert.deepStrictEqual(wrong, [])
  assert.isAtLeast(cells, 2000)
})
