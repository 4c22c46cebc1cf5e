import { readdirSync, readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { keccak256 } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { approveStep } from "../../src/client/OwnerApproval.ts"
import { parted } from "../compile/Compiled.ts"
import { complaints, type PackedClient, packedClient } from "./support/PackedClient.ts"
import { newKey } from "./support/Parties.ts"

let packed: PackedClient

beforeAll(async () => {
  packed = await packedClient()
})

afterAll(() => packed.remove())

const files = () => readdirSync(packed.directory, { recursive: true, encoding: "utf8" })

const declarations = () => readFileSync(join(packed.directory, "main.d.ts"), "utf8")

/** What a page loads that takes this name alone; what is loaded later is not counted. */
const loadedFor = async (name: string): Promise<number> => {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${name} } from "signed-request-client"`, resolveDir: packed.folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "error",
    plugins: [
      {
        name: "later",
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ kind }) =>
            kind === "dynamic-import" ? { external: true } : undefined
          )
      }
    ]
  })
  return outputFiles[0]?.contents.length ?? assert.fail("nothing was bundled")
}

describe("the client's package", () => {
  it("is small, needs no other and has nothing native", () => {
    assert.isBelow(packed.packedBytes, 60 * 1024)
    const manifest = JSON.parse(readFileSync(join(packed.directory, "package.json"), "utf8"))
    assert.notProperty(manifest, "dependencies")
    assert.strictEqual(manifest.sideEffects, false)
    assert.deepStrictEqual(
      files().filter(
        name => !/(^|\/)(?:\w+\.js|main\.d\.ts|README\.md|package\.json|client|values|parts)$/.test(name)
      ),
      []
    )
    const code = files()
      .filter(name => name.endsWith(".js"))
      .map(name => readFileSync(join(packed.directory, name), "utf8"))
      .join("\n")
    assert.notMatch(code, /\bfrom\s*"[@\w]|\bimport\(?"[@\w]|\brequire\(|"node:/)
  })

  it("declares its types in one file that imports nothing", () => {
    assert.isBelow(Buffer.byteLength(declarations()), 150 * 1024)
    assert.notMatch(declarations(), /\bimport\b|\brequire\(|<reference|\bfrom "/)
  })

  it("gives who takes one helper that helper alone", async () => {
    const sizes = await Promise.all(
      ["eip1193Signer", "checkCommitment", "isSettled", "sessionEnvelope"].map(loadedFor)
    )
    for (const size of sizes) assert.isBelow(size, 3 * 1024)
    assert.isBelow(await loadedFor("createClient"), 64 * 1024)
  })

  it("signs and proves as the sources do", async () => {
    const at = (name: string) => pathToFileURL(join(packed.directory, name)).href
    const client = await import(at("client/main.js"))
    const key = newKey()
    const step = {
      audience: "http://service.test",
      accountId: `eip155:31337:${key.address.toLowerCase()}`,
      grantId: "8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42",
      plan: { id: "8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e43", commitment: `0x${"ab".repeat(32)}` as const },
      stepIndex: 0,
      rawSignedTransaction: "0x02c0",
      issuedAt: 1,
      system: {
        now: () => 0,
        sleep: async () => {},
        randomBytes: (length: number) => new Uint8Array(length)
      }
    }
    assert.deepStrictEqual(await client.approveStep(key, step), await approveStep(key, step))
    const { checkBytes } = await import(at("client/PlannedBytes.js"))
    const call = { chainId: 31_337, to: key.address, data: "0x1234", value: "5" } as const
    const terms = { nonce: 3, gas: 21_000n, to: call.to, data: call.data, value: 5n, chainId: call.chainId }
    const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 2n }
    for (const raw of [
      await key.signTransaction({ type: "eip1559", ...terms, ...fees }),
      await key.signTransaction({ type: "eip2930", ...terms, gasPrice: 9n, accessList: [] }),
      await key.signTransaction({ type: "legacy", ...terms, gasPrice: 9n })
    ]) {
      assert.deepInclude(await checkBytes(raw, call, key.address), { fits: true, raw })
      assert.deepInclude(await checkBytes(raw, { ...call, value: "6" }, key.address), { fits: false })
      assert.deepInclude(await checkBytes(raw, call, newKey().address), { fits: false })
      assert.deepInclude(await checkBytes(`${raw.slice(0, -2)}`, call, key.address), { fits: false })
    }
    const { keccak256: hashed } = await import(at("values/Keccak.js"))
    for (const length of [0, 1, 3, 135, 136, 137, 271, 272, 1_000]) {
      const bytes = Uint8Array.from({ length }, (_, index) => index % 251)
      assert.strictEqual(hashed(bytes), keccak256(bytes), `of ${length} bytes`)
    }
  })
})

const SOUND = `
import {
  type Account, type Client, createClient, eip1193Signer, type Plan, type PlanOperationInput, type PreparePayInput,
  type PreparePaySummary, type ProblemCode, ServiceProblem, type Step
} from "signed-request-client"

declare const provider: { request: (call: { method: string }) => Promise<unknown> }
const client: Client = createClient({ baseUrl: "", account: "", signer: eip1193Signer(provider, "0x") })
const input: PreparePayInput = {
  project: { chainId: 1, projectId: "2" }, account: "", beneficiary: "", token: "", amount: "1"
}
const same: PlanOperationInput<"prepare_pay"> = input
const { plan } = await client.operations.prepare("prepare_pay", same)
export const summary: PreparePaySummary = plan.summary
export const least: string = plan.summary.minimumBeneficiaryTokenCount
export const wide: Plan = plan
export const first: Step | undefined = plan.steps[0]
export const account: Account = await client.accounts.show()
export const owner = (await client.indexer.list("project", { network: "mainnet" })).items[0]?.owner
export const codeOf = (failure: unknown): ProblemCode | undefined =>
  failure instanceof ServiceProblem ? failure.code : undefined
export const { status } = await client.plans.carryOut(plan, {
  wallet: { address: "", signTransaction: async ({ nonce }) => String(nonce) }, rpc: ""
})
const scopes = ["read", "plan"] as const
await client.bots.grant({ bot: eip1193Signer(provider, "0x"), scopes, expiresAt: 1 })
export const position = await client.operations.run("get_position", { project: { chainId: 1, projectId: "2" }, account: "" })
`

const USE = `
import { createClient, eip1193Signer } from "signed-request-client"
const signer = eip1193Signer({ request: async () => "" }, "0x")
const client = createClient({ baseUrl: "", account: "", signer })
const input = { project: { chainId: 1, projectId: "2" }, account: "", beneficiary: "", token: "", amount: "1" }
`

const WRONG = {
  "a number where an amount is text": `${USE}await client.operations.prepare("prepare_pay", { ...input, amount: 1 })`,
  "a member that is missing": `${USE}await client.operations.prepare("prepare_pay", { project: input.project })`,
  "an operation that is none": `${USE}await client.operations.prepare("prepare_pai", input)`,
  "a read that is none": `${USE}await client.operations.run("get_nothing", {})`,
  "a member that no summary has": `${USE}export const none = (await client.operations.prepare("prepare_pay", input)).plan.summary.nothing`,
  "another operation's summary": `${USE}export const none = (await client.operations.prepare("prepare_pay", input)).plan.summary.collateralCount`,
  "an entity that is none": `${USE}await client.indexer.list("projekt", { network: "mainnet" })`,
  "a code that is none": `import type { ProblemCode } from "signed-request-client"\nexport const code: ProblemCode = "NOTHING"`,
  "a wallet that neither signs nor sends": `${USE}await client.plans.carryOut((await client.operations.prepare("prepare_pay", input)).plan, { wallet: { address: "" }, rpc: "" })`
}

describe("the declarations of the client's package", () => {
  it("compile alone and strictly, name what is used, and refuse what the service would refuse", async () => {
    const wrong = Object.entries(WRONG).map(
      ([name, text]) => [`${name}.ts`.replaceAll(" ", "-"), text] as const
    )
    const programs = [["sound.ts", SOUND] as const, ...wrong]
    await Promise.all(programs.map(([name, text]) => writeFile(join(packed.folder, name), text)))
    const told = await complaints(
      packed,
      programs.map(([name]) => name)
    )
    assert.sameMembers(
      [...parted(told).keys()],
      wrong.map(([name]) => name),
      told
    )
  })
})
