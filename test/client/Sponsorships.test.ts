/** A client that has plans sponsored: it signs the plan's own calls alone, and publishes them once wherever it dies. */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { toHex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, describe, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { AlteredPlan, ClientMisuse } from "../../src/client/Errors.ts"
import { signForwardRequests } from "../../src/client/SignForwardRequests.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { committedSponsorshipText } from "../../src/sponsorship/CommittedSponsorship.ts"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { executeCalldata, forwardRequestDigest } from "../../src/values/ForwardRequest.ts"
import { startScriptedProvider } from "../sponsorship/support/ScriptedProvider.ts"
import { signAll } from "../sponsorship/support/Signing.ts"
import { startSponsoringBench } from "../sponsorship/support/Sponsored.ts"
import { keptProgram } from "../support/KeptProgram.ts"
import { PAY } from "../support/PlannedCalls.ts"
import { rpc } from "../support/Rpc.ts"
import { contractId, NATIVE_TOKEN } from "../support/Sandbox.ts"
import { accountOf, newKey } from "./support/Parties.ts"

const provider = await startScriptedProvider()
const bench = await startSponsoringBench({ providerUrl: Redacted.make(provider.url) })
const { service } = bench

afterAll(async () => {
  await bench.stop()
  await provider.stop()
})

const newOwner = async () => {
  const privateKey = generatePrivateKey()
  const wallet = privateKeyToAccount(privateKey)
  await rpc(bench.chain.url, "anvil_setBalance", [wallet.address, toHex(10n ** 21n)])
  const client = createClient({
    baseUrl: service.url,
    account: accountOf(wallet.address),
    signer: wallet
  })
  await client.accounts.enroll()
  return { privateKey, wallet, client }
}

type Owner = Awaited<ReturnType<typeof newOwner>>

const planFor = async ({ client, wallet }: Pick<Owner, "client" | "wallet">, calls = 1): Promise<Plan> => {
  const pay = {
    chainId: 31_337,
    contractId: contractId(bench.manifest, "JBMultiTerminal"),
    function: PAY,
    args: ["2", NATIVE_TOKEN, "1000", wallet.address, "0", "thanks", "0x"],
    value: "1000"
  }
  const all = Array.from({ length: calls }, () => pay)
  return (await client.plans.create({ account: wallet.address, calls: all })).plan
}

const prepared = async (calls = 1) => {
  const owner = await newOwner()
  const plan = await planFor(owner, calls)
  const { sponsorship } = await owner.client.sponsorships.create(plan.id)
  return { ...owner, plan, sponsorship }
}

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail("it resolved"),
    (failure: unknown) => failure
  )

type Request = Sponsorship["authorizations"][number]

/** As a service would tell it that lies in one thing and computes the rest from that. */
const toldOtherwise = (
  client: Owner["client"],
  sponsorship: Sponsorship,
  lie: (request: Request) => Request
): Sponsorship => {
  const authorizations = sponsorship.authorizations.map(lie).map(request => ({
    ...request,
    digest: forwardRequestDigest(request.domain, request.message)
  }))
  const told = { ...sponsorship, authorizations }
  const ownership = { accountId: client.account, principalId: client.principalId }
  const text = committedSponsorshipText(told, ownership)
  return { ...told, commitment: `0x${createHash("sha256").update(text).digest("hex")}` }
}

const ELSEWHERE = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const messageWith = (over: Partial<Request["message"]>) => (request: Request) => ({
  ...request,
  message: { ...request.message, ...over }
})

const LIES: Readonly<Record<string, (request: Request) => Request>> = {
  "another destination": messageWith({ to: ELSEWHERE }),
  "another value": messageWith({ value: "1001" }),
  "another calldata": request => messageWith({ data: `${request.message.data}00` })(request),
  "another wallet": messageWith({ from: ELSEWHERE }),
  "no gas to speak of": messageWith({ gas: "20999" }),
  "all gas of a block": messageWith({ gas: "30000001" }),
  "a deadline that is over": messageWith({ deadline: "1" }),
  "a deadline without end": messageWith({ deadline: String(2n ** 48n - 1n) }),
  "another step's call": request => ({ ...request, stepIndex: 7 }),
  "another chain": request => ({ ...request, chainId: 1 }),
  "another forwarder": request => ({
    ...request,
    forwarder: ELSEWHERE,
    domain: { ...request.domain, verifyingContract: ELSEWHERE }
  }),
  "another domain's contract": request => ({
    ...request,
    domain: { ...request.domain, verifyingContract: ELSEWHERE }
  }),
  "another domain's name": request => ({ ...request, domain: { ...request.domain, name: "Other" } }),
  "another domain's chain": request => ({ ...request, domain: { ...request.domain, chainId: 1 } }),
  "another forwarder's code": request => ({ ...request, forwarderCodeHash: `0x${"ab".repeat(32)}` })
}

describe("the requests of a sponsorship", { timeout: 120_000 }, () => {
  it("are signed as any other library signs them, in their order", async () => {
    const { client, plan, sponsorship, wallet } = await prepared(2)
    const signatures = await signForwardRequests(wallet, { client, plan, sponsorship })
    assert.deepStrictEqual(signatures, await signAll(wallet, sponsorship))
    assert.strictEqual(new Set(signatures).size, 2)
  })

  it("are signed by nobody where they are not the plan's own", async () => {
    const { client, plan, sponsorship } = await prepared()
    const wallet = { address: plan.account, signTypedData: async () => assert.fail("it was asked") }
    const refused = async (told: Sponsorship, shown = plan) => {
      const failure = await rejection(signForwardRequests(wallet, { client, plan: shown, sponsorship: told }))
      assert.instanceOf(failure, AlteredPlan)
    }
    const honest = toldOtherwise(client, sponsorship, request => request)
    assert.deepStrictEqual(honest, sponsorship)
    for (const lie of Object.values(LIES)) await refused(toldOtherwise(client, sponsorship, lie))
    const [request = assert.fail("no request")] = sponsorship.authorizations
    await refused({ ...sponsorship, authorizations: [{ ...request, digest: `0x${"ab".repeat(32)}` }] })
    await refused(toldOtherwise(client, { ...sponsorship, authorizations: [request, request] }, same => same))
    await refused({ ...sponsorship, commitment: `0x${"ab".repeat(32)}` })
    await refused({ ...sponsorship, publicationExpiresAt: sponsorship.publicationExpiresAt + 1 })
    const other = await planFor({ client, wallet: { ...newKey(), address: plan.account } }, 2)
    await refused(sponsorship, other)
    const [call = assert.fail("no call")] = plan.calls
    await refused(sponsorship, { ...plan, calls: [{ ...call, value: "1001" }] })
  })

  it("are asked for on their own chain, and of the plan's own wallet", async () => {
    const { client, plan, sponsorship, wallet } = await prepared()
    const about = { client, plan, sponsorship }
    const elsewhere = {
      address: wallet.address,
      chainId: async () => 1,
      signTypedData: async () => assert.fail("it was asked")
    }
    const failure = await rejection(signForwardRequests(elsewhere, about))
    assert.deepInclude(failure, { name: "WalletChainMismatch", expected: 31_337, actual: 1 })
    assert.instanceOf(await rejection(signForwardRequests(newKey(), about)), ClientMisuse)
  })
})

const NODE = bench.chain.url

/** A wallet that is asked for nothing. */
const blind = ({ account }: Plan) => ({
  address: account,
  signTypedData: async () => assert.fail("it was asked"),
  signTransaction: async () => assert.fail("it was asked")
})

const timesSent = async ({ wallet }: Pick<Owner, "wallet">, sponsorship: Sponsorship): Promise<number> => {
  const [request = assert.fail("no request")] = sponsorship.authorizations
  const [signature = assert.fail("no signature")] = await signAll(wallet, sponsorship)
  return provider.timesSent(executeCalldata(request.message, signature))
}

const onlyOneOf = async ({ client }: Pick<Owner, "client">, plan: Plan): Promise<Sponsorship> => {
  const { items } = await client.sponsorships.list({ planId: plan.id })
  assert.strictEqual(items.length, 1)
  return items[0] ?? assert.fail("no sponsorship")
}

/** Followed no further than to its publication. */
const untilPublished = async (
  { client }: Pick<Owner, "client">,
  plan: Plan,
  options: Omit<Parameters<Owner["client"]["sponsorships"]["carryOut"]>[1], "signal" | "onProgress">
): Promise<ReadonlyArray<string>> => {
  const told: Array<string> = []
  const enough = new AbortController()
  const onProgress = ({ kind, sponsorship }: { kind: string; sponsorship: Sponsorship }) => {
    told.push(kind)
    if (kind === "change" && sponsorship.submission !== undefined) enough.abort()
  }
  const carried = client.sponsorships.carryOut(plan, { ...options, signal: enough.signal, onProgress })
  assert.strictEqual(await rejection(carried), enough.signal.reason)
  return told
}

describe("a plan that is sponsored", { timeout: 120_000 }, () => {
  it("is prepared, agreed to, signed and published once, and gone on with by whoever has the plan", async () => {
    const owner = await newOwner()
    const plan = await planFor(owner)
    const asked: Array<string> = []
    const agree = (of: Plan, { state }: Sponsorship) => asked.push(`${of.id} ${state}`) > 0
    const told = await untilPublished(owner, plan, { wallet: owner.wallet, rpc: NODE, agree })
    assert.deepStrictEqual(told, ["turn", "change"])
    assert.deepStrictEqual(asked, [`${plan.id} prepared`])
    const sponsorship = await onlyOneOf(owner, plan)
    assert.strictEqual(await timesSent(owner, sponsorship), 1)
    const again = { wallet: blind(plan), rpc: NODE, agree }
    assert.deepStrictEqual(await untilPublished(owner, plan, again), ["change"])
    assert.strictEqual(await timesSent(owner, await onlyOneOf(owner, plan)), 1)
  })

  it("is left alone where nobody agrees", async () => {
    const owner = await newOwner()
    const plan = await planFor(owner)
    const declined = { wallet: blind(plan), rpc: NODE, agree: () => false }
    const left = await owner.client.sponsorships.carryOut(plan.id, declined)
    assert.deepInclude(left.sponsorship, { state: "prepared" })
    assert.strictEqual(left.plan.id, plan.id)
  })

  it("is published by a bot with the owner's fresh approval of exactly these signatures", async () => {
    const owner = await newOwner()
    const key = newKey()
    const terms = { bot: key, scopes: ["read", "plan", "relay"] as const, expiresAt: inAnHour() }
    const { id: grantId } = await owner.client.bots.grant(terms)
    const { account } = owner.client
    const client = createClient({ baseUrl: service.url, account, signer: key, grantId })
    const plan = await planFor({ client, wallet: owner.wallet })
    const { wallet } = owner
    const options = { wallet, rpc: NODE }
    assert.instanceOf(await rejection(client.sponsorships.carryOut(plan, options)), ClientMisuse)
    await untilPublished({ client }, plan, { ...options, owner: wallet })
    assert.strictEqual(await timesSent(owner, await onlyOneOf({ client }, plan)), 1)
  })
})

const inAnHour = () => Math.floor(Date.now() / 1000) + 3_600

interface Ended {
  readonly signal: NodeJS.Signals | null
  readonly printed: string
}

const bot = async (owner: Owner, plan: Plan, directory: string, killed = ""): Promise<Ended> => {
  const program = await keptProgram("test/client/support/SponsoringBot.ts")
  const env = {
    SERVICE: service.url,
    NODE,
    KEY: owner.privateKey,
    DIRECTORY: directory,
    PLAN: plan.id,
    KILLED: killed
  }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "pipe"] })
    let printed = ""
    child.stdout.on("data", chunk => {
      printed += String(chunk)
    })
    child.stderr.on("data", chunk => {
      printed += String(chunk)
    })
    child.once("error", reject)
    child.once("close", (_, signal) => resolve({ signal, printed }))
  })
}

describe("a sponsoring process that is killed", { timeout: 120_000 }, () => {
  it.each([
    ["once the requests are prepared", "prepared", 0, "turn prepared"],
    ["between keeping the signatures and publishing them", "kept", 0, "again prepared"],
    ["between publishing them and the answer", "answered", 1, "change quote_unverified"]
  ] as const)("%s goes on with the same sponsorship, which leaves once", async (_, point, before, first) => {
    const owner = await newOwner()
    const plan = await planFor(owner)
    const directory = await mkdtemp(join(tmpdir(), "sponsoring-"))
    try {
      const dead = await bot(owner, plan, directory, point)
      assert.strictEqual(dead.signal, "SIGKILL", dead.printed)
      assert.strictEqual(await timesSent(owner, await onlyOneOf(owner, plan)), before)
      const second = await bot(owner, plan, directory)
      assert.strictEqual(second.printed.split("\n")[0], first, second.printed)
      assert.include(second.printed, "change quote_unverified")
      assert.strictEqual(await timesSent(owner, await onlyOneOf(owner, plan)), 1)
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})
