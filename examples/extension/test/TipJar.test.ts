import assert from "node:assert/strict"
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, describe, it } from "node:test"
import { createClient } from "signed-request-service/client"
import { createPublicClient, createWalletClient, http } from "viem"
import { mnemonicToAccount } from "viem/accounts"
import { foundry } from "viem/chains"
import type { prepareTip } from "../src/PrepareTip.ts"
import { creationCode, TIP_JAR } from "../src/TipJar.ts"
import type { getTips } from "../src/Tips.ts"
import { type Running, started } from "./Service.ts"

const PHRASE = "test test test test test test test test test test test junk"
const PORT = process.env.TIP_JAR_PORT ?? "19787"
const baseUrl = `http://localhost:${PORT}`
const project = { chainId: 31337, projectId: "2" }

const tipper = mnemonicToAccount(PHRASE, { addressIndex: 8 })

/** What the file of deployments says of the jar. */
const deployed = async (rpcUrl: string) => {
  const transport = http(rpcUrl)
  const account = mnemonicToAccount(PHRASE, { addressIndex: 9 })
  const hash = await createWalletClient({ account, chain: foundry, transport }).sendTransaction({
    data: creationCode
  })
  const receipt = await createPublicClient({ chain: foundry, transport }).waitForTransactionReceipt({ hash })
  return [
    {
      chainId: foundry.id,
      address: receipt.contractAddress,
      receipt: { transactionHash: hash, blockNumber: Number(receipt.blockNumber) }
    }
  ]
}

const client = () =>
  createClient<typeof getTips | typeof prepareTip>({
    baseUrl,
    account: `eip155:31337:${tipper.address.toLowerCase()}`,
    signer: tipper
  })

describe("the service with a tip jar", () => {
  let directory: string
  let service: Running
  let tips: ReturnType<typeof client>

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "tip-jar-"))
    await chmod(directory, 0o755)
    const environment = {
      SERVICE_DATA_DIR: join(directory, "data"),
      SERVICE_PORT: PORT,
      SERVICE_OPS_PORT: String(Number(PORT) + 1),
      TIP_JAR_LOG: join(directory, "log")
    }
    const without = await started(environment)
    const file = join(directory, "deployments.json")
    await writeFile(file, JSON.stringify(await deployed(without.rpcUrl)))
    await without.stop()
    service = await started({ ...environment, TIP_JAR_DEPLOYMENTS: file })
    tips = client()
    await tips.accounts.enroll()
  })

  after(async () => {
    await service?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it("tells of its operations, its routes and its contract", async () => {
    const operations = await tips.catalog.operations()
    assert.deepEqual(
      operations.slice(-2).map(({ id, method }) => [id, method]),
      [
        ["get_tips", "GET"],
        ["prepare_tip", "POST"]
      ]
    )
    const { paths } = await tips.openapi()
    for (const path of ["/api/v1/operations/prepare_tip/plans", "/api/v1/x/tip-jar/thanks"])
      assert.ok(path in Object(paths), path)
    assert.equal((await tips.catalog.contract(TIP_JAR)).name, "TipJar")
    assert.deepEqual(await (await fetch(`${baseUrl}/api/v1/x/tip-jar/jar`)).json(), { contractId: TIP_JAR })
  })

  it("prepares a tip, relays it and proves its effect", async () => {
    const before = await tips.operations.run("get_tips", { project })
    assert.equal(before.tips, "0")
    const amount = "2000000000000000"
    const { plan } = await tips.operations.prepare("prepare_tip", {
      project,
      account: tipper.address,
      amount,
      words: "Well done"
    })
    assert.equal(plan.summary.amount, amount)
    const [call] = plan.calls
    assert.ok(call)
    const node = createPublicClient({ chain: foundry, transport: http(service.rpcUrl) })
    const rawSignedTransaction = await tipper.signTransaction({
      chainId: foundry.id,
      to: call.to,
      data: call.data,
      value: BigInt(call.value),
      nonce: await node.getTransactionCount({ address: tipper.address, blockTag: "pending" }),
      gas: 200_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1n
    })
    await tips.plans.submit(plan.id, 0, { rawSignedTransaction })
    const done = await tips.plans.watch(plan.id, { signal: AbortSignal.timeout(30_000) })
    assert.deepEqual([done.status, done.steps[0]?.semantic?.status], ["transactions_confirmed", "verified"])
    assert.equal((await tips.operations.run("get_tips", { project })).tips, amount)
  })

  it("gives the stored plan again for the same key, by a route of its own", async () => {
    const body = JSON.stringify({ project, account: tipper.address })
    const thank = () =>
      tips.request("POST", "/api/v1/x/tip-jar/thanks", { body, idempotencyKey: "thanks-once" })
    const [first, again] = [await thank(), await thank()]
    assert.equal(Object(first.body).operation, "tip")
    assert.equal(Object(again.body).id, Object(first.body).id)
    assert.equal(again.headers.get("idempotent-replayed"), "true")
    const keyless = tips.request("POST", "/api/v1/x/tip-jar/thanks", { body })
    assert.equal(await keyless.catch(({ code }) => code), "IDEMPOTENCY_REQUIRED")
  })

  it("writes its log into a file", async () => {
    assert.match(await readFile(join(directory, "log"), "utf8"), /"route":"thankProject"/)
  })
})
