/** Intents whose launches are real calls of a sandbox chain, and the transactions that make them. */
import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { assert } from "vitest"
import { nativeTerminal, ruleset } from "../../../sandbox/calls.ts"
import type { Intent } from "../../../src/intents/Intent.ts"
import { abi } from "../../sandbox/support/abi.ts"
import { onSandbox, owner as rich, stranger } from "../../sandbox/support/Sandbox.ts"
import { enroll } from "../../support/Bots.ts"
import { FORWARD_REQUEST } from "../../support/ForwardRequest.ts"
import { mine, startRelayBench } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import type { ServiceOptions } from "../../support/Service.ts"
import { newOwner, type Party, signedFetch } from "../../support/SignedFetch.ts"
import { type Act, batchCode } from "./Batches.ts"
import { type Draft, type DraftCall, draftOf, signedBy } from "./Drafts.ts"

export const CHAIN = 31337

const hexOf = (text: string): Hex => `0x${text.slice(2)}`
const addressOf = (text: string): Address => `0x${text.slice(2)}`

export const startDeployments = async (options: ServiceOptions = {}) => {
  const bench = await startRelayBench(options)
  const { service, chain, manifest } = bench
  const sandbox = onSandbox(chain.url, manifest)
  const party = newOwner()
  assert.strictEqual((await enroll(service, party)).status, 200)
  const controller = sandbox.at("JBController")
  const projects = sandbox.at("JBProjects")

  const launchData = (memo: string): Hex =>
    encodeFunctionData({
      abi,
      functionName: "launchProjectFor",
      args: [stranger.address, "", [ruleset], [nativeTerminal(sandbox.at("JBMultiTerminal"))], memo]
    })

  const launchOf = (memo: string): DraftCall => ({
    chainId: CHAIN,
    to: getAddress(controller),
    data: launchData(memo)
  })

  const post = (target: string, body: unknown, by: Party = party) =>
    signedFetch(service, by, "POST", target, { body })

  const publish = async (launch: DraftCall, over: Partial<Draft> = {}): Promise<Intent> => {
    const draft = draftOf({ chainIds: [CHAIN], deploymentCalls: [launch], ...over })
    const key = privateKeyToAccount(generatePrivateKey())
    const answer = await post("/api/v1/intents", await signedBy(key, draft))
    assert.strictEqual(answer.status, 201, await answer.clone().text())
    return answer.json()
  }

  const record = (id: string, transactionHash: string, chainId = CHAIN, by: Party = party) =>
    post(`/api/v1/intents/${id}/deployments`, { chainId, transactionHash }, by)

  const recorded = async (id: string, hash: string): Promise<Intent> => {
    const answer = await record(id, hash)
    assert.strictEqual(answer.status, 201, await answer.clone().text())
    return answer.json()
  }

  const shown = async (id: string): Promise<Intent> => {
    const input = encodeURIComponent(JSON.stringify({ id }))
    const answer = await signedFetch(service, party, "GET", `/api/v1/operations/get_intent?input=${input}`)
    assert.strictEqual(answer.status, 200, await answer.clone().text())
    return answer.json()
  }

  const receiptOf = async (hash: Hex) => {
    for (;;) {
      const receipt = await rpc(chain.url, "eth_getTransactionReceipt", [hash])
      if (receipt !== null) return receipt
    }
  }

  /** Mined, with the confirmations that the service asks for; it may have reverted. */
  const sent = async (transaction: { readonly to?: Address; readonly data: Hex; readonly gas?: bigint }) => {
    const hash = await sandbox.client.sendTransaction({ account: rich, gas: 8_000_000n, ...transaction })
    await receiptOf(hash)
    await mine(bench, 1)
    return hash
  }

  const sentItself = ({ to, data }: Pick<DraftCall, "to" | "data">) =>
    sent({ to: addressOf(to), data: hexOf(data) })

  const assertUndeployed = async ({ id }: Intent) => {
    const { status, deployments } = await shown(id)
    assert.deepStrictEqual([status, deployments], ["undeployed", []])
  }

  const createOwn: Act = {
    kind: "call",
    to: projects,
    data: encodeFunctionData({
      abi: parseAbi(["function createFor(address owner) payable returns (uint256)"]),
      args: [stranger.address]
    })
  }

  /** By whoever relays, in the name of its signer. */
  const forwarded = async ({ to, data }: DraftCall, signer: Party["key"]) => {
    const verifyingContract = sandbox.at("ERC2771Forwarder")
    const { timestamp } = await sandbox.client.getBlock()
    const request = {
      from: signer.address,
      to: addressOf(to),
      value: 0n,
      gas: 6_000_000n,
      deadline: Number(timestamp) + 3_600,
      data: hexOf(data)
    }
    const nonce = await sandbox.client.readContract({
      address: verifyingContract,
      abi: parseAbi(["function nonces(address owner) view returns (uint256)"]),
      functionName: "nonces",
      args: [signer.address]
    })
    const signature = await signer.signTypedData({
      domain: { name: "Forwarder", version: "1", chainId: CHAIN, verifyingContract },
      types: FORWARD_REQUEST,
      primaryType: "ForwardRequest",
      message: { ...request, nonce }
    })
    const execution = encodeFunctionData({ abi, functionName: "execute", args: [{ ...request, signature }] })
    return sent({ to: verifyingContract, data: execution })
  }

  return {
    ...bench,
    sandbox,
    party,
    controller,
    createOwn,
    launchOf,
    publish,
    record,
    recorded,
    shown,
    sent,
    sentItself,
    assertUndeployed,
    forwarded,
    batch: (acts: ReadonlyArray<Act>, end?: "return" | "revert") => sent({ data: batchCode(acts, end) }),
    lastProject: async () =>
      String(await sandbox.client.readContract({ ...sandbox.contract("JBProjects"), functionName: "count" }))
  }
}

export type Deployments = Awaited<ReturnType<typeof startDeployments>>
