/** Published requests over a local chain, and the many ways in which they come to be executed. */
import { Redacted } from "effect"
import { encodeFunctionData, type Hex, isHex, toHex } from "viem"
import { assert } from "vitest"
import type { Lie } from "../../../sandbox/provider/Faults.ts"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import { executeCalldata } from "../../../src/values/ForwardRequest.ts"
import { payFor } from "../../faults/sponsored/Funder.ts"
import { type ProviderProxy, startProviderProxy } from "../../faults/sponsored/ProviderProxy.ts"
import { arm, type Reached, startProvider } from "../../provider/support/Provider.ts"
import { forwarderAbi } from "../../sandbox/support/Forwarding.ts"
import { type CallInput, planned } from "../../support/PlannedCalls.ts"
import { mine, newPayer, type RelayBench } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import type { RunningService } from "../../support/Service.ts"
import { type Party, signedFetch } from "../../support/SignedFetch.ts"
import { sqlOn } from "../../support/Sql.ts"
import { refreshed } from "../../support/Submissions.ts"
import { until } from "../../support/Until.ts"
import { published, publishedByBot, signAuthorization } from "./Signing.ts"
import { authorizationOf, sponsorshipFor, startSponsoringBench } from "./Sponsored.ts"

/** Of the development accounts, whose keys the node has. */
export const ANYBODY = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"
const GAS = 5_000_000

export interface ExecutingBench extends RelayBench {
  readonly provider: ProviderProxy
  /** The provider behind it. */
  readonly reference: Reached
}

export const startExecutingBench = async (
  over: Parameters<typeof startSponsoringBench>[0] = {}
): Promise<ExecutingBench> => {
  const provider = await startProviderProxy("http://127.0.0.1:9")
  const bench = await startSponsoringBench({ providerUrl: Redacted.make(provider.url), ...over })
  const reference = await startProvider({ sandbox: bench.chain })
  provider.follow(reference.url)
  return {
    ...bench,
    provider,
    reference,
    stop: async () => {
      await bench.stop()
      await reference.stop()
      await provider.stop()
    }
  }
}

export interface Publication {
  readonly owner: Party
  readonly plan: Plan
  readonly sponsorship: Sponsorship
  /** The calls of the forwarder's `execute`, in their order. */
  readonly calls: ReadonlyArray<Hex>
}

interface Publishing {
  readonly owner?: Party
  /** A bot that has the plan made and publishes it. */
  readonly by?: Party
  readonly calls?: ReadonlyArray<CallInput>
  readonly lie?: Lie
}

/** Signed and published; the provider is to treat it as it was told. */
export const publication = async (bench: ExecutingBench, options: Publishing = {}): Promise<Publication> => {
  const owner = options.owner ?? (await newPayer(bench))
  const { by = owner, calls } = options
  const plan = await planned(bench, owner, { by, ...(calls === undefined ? {} : { calls }) })
  const sponsorship = await sponsorshipFor(bench.service, by, plan)
  if (options.lie !== undefined) await arm(bench.reference, { lie: options.lie, path: "publication" })
  if (by === owner) await published(bench.service, owner, sponsorship)
  else await publishedByBot(bench.service, owner, by, sponsorship)
  const left = bench.provider.publications().at(-1) ?? assert.fail("nothing left")
  return { owner, plan, sponsorship, calls: left.transactions.map(({ data }) => data) }
}

/** By a stranger, what the provider asks for. */
export const fund = async (bench: ExecutingBench): Promise<void> => {
  const { answer } = bench.provider.publications().at(-1) ?? assert.fail("nothing was published")
  await payFor(bench.chain.url, answer ?? assert.fail("the provider did not answer"))
}

interface Sending {
  /** A contract is created without it. */
  readonly to?: string
  readonly data: Hex
  readonly value?: bigint
  readonly gas?: number
}

/** By anybody, and mined, whatever becomes of it. */
export const send = async ({ chain }: Pick<RelayBench, "chain">, sending: Sending): Promise<Hex> => {
  const { to, data, value = 0n, gas = GAS } = sending
  const hash = await rpc(chain.url, "eth_sendTransaction", [
    { from: ANYBODY, ...(to === undefined ? {} : { to }), data, value: toHex(value), gas: toHex(gas) }
  ])
  await until(
    () => rpc(chain.url, "eth_getTransactionReceipt", [hash]),
    receipt => receipt !== null
  )
  return isHex(hash) ? hash : assert.fail("no hash")
}

/** A third party has the forwarder execute the request at this position. */
export const execute = (bench: RelayBench, { sponsorship, calls }: Publication, position = 0, gas = GAS) => {
  const { forwarder, message } = authorizationOf(sponsorship, position)
  const data = calls[position] ?? assert.fail("no such call")
  return send(bench, { to: forwarder, data, value: BigInt(message.value), gas })
}

/** Another request of the wallet with the same nonce, which its provider never saw. */
export const executeRival = async (bench: RelayBench, { owner, sponsorship }: Publication): Promise<Hex> => {
  const authorization = authorizationOf(sponsorship)
  const { forwarder, message } = authorization
  const rival = { ...message, gas: String(Number(message.gas) + 1) }
  const signature = await signAuthorization(owner.key, { ...authorization, message: rival })
  return send(bench, { to: forwarder, data: executeCalldata(rival, signature), value: BigInt(message.value) })
}

type Requested = Pick<Publication, "sponsorship" | "calls">

/** As the forwarder takes it, with its signature. */
export const requestOf = ({ sponsorship, calls }: Requested, index: number) => {
  const { message } = authorizationOf(sponsorship, index)
  return {
    from: message.from,
    to: message.to,
    value: BigInt(message.value),
    gas: BigInt(message.gas),
    deadline: Number(message.deadline),
    data: message.data,
    signature: signatureIn(calls[index] ?? assert.fail("no such call"))
  }
}

/** All of them in one transaction, with refunds to whoever sends it. */
export const executeBatch = (bench: RelayBench, ...all: readonly [Requested, ...Array<Requested>]) => {
  const { forwarder } = authorizationOf(all[0].sponsorship)
  const requests = all.flatMap(made =>
    made.sponsorship.authorizations.map((_, index) => requestOf(made, index))
  )
  const value = requests.reduce((sum, request) => sum + request.value, 0n)
  const data = encodeFunctionData({
    abi: forwarderAbi,
    functionName: "executeBatch",
    args: [requests, ANYBODY]
  })
  return send(bench, { to: forwarder, data, value })
}

const SIGNATURE_DIGITS = 130
const PADDED_DIGITS = 192

/** The last member of the call's argument. */
const signatureIn = (data: Hex): Hex => {
  const start = data.length - PADDED_DIGITS
  return `0x${data.slice(start, start + SIGNATURE_DIGITS)}`
}

export const show = async (
  { service }: { readonly service: Pick<RunningService, "url" | "audience"> },
  { owner, sponsorship: { id } }: Publication
): Promise<Sponsorship> => (await signedFetch(service, owner, "GET", `/api/v1/sponsorships/${id}`)).json()

/** As its chain has it now. */
export const look = async (bench: RelayBench, publication: Publication) => {
  const plan = await refreshed(bench.service, publication.owner, publication.plan)
  return { plan, sponsorship: await show(bench, publication) }
}

/** Two blocks make a receipt confirmed. */
export const confirm = (bench: RelayBench) => mine(bench, 2)

export const observationOf = ({ observations }: Sponsorship, position = 0) =>
  observations[position] ?? assert.fail("no such observation")

/** Once a look shows this state. */
export const comesTo = (bench: RelayBench, publication: Publication, state: Sponsorship["state"]) =>
  until(
    async () => (await look(bench, publication)).sponsorship,
    sponsorship => sponsorship.state === state
  )

/** Blocks that a chain leaves again, with what they held; the depth reaches below the block of this hash. */
export const leave = async ({ chain }: Pick<RelayBench, "chain">, hash: Hex): Promise<void> => {
  const receipt = await rpc(chain.url, "eth_getTransactionReceipt", [hash])
  const head = await rpc(chain.url, "eth_blockNumber", [])
  const depth = Number(head) - Number(Reflect.get(Object(receipt), "blockNumber")) + 1
  await rpc(chain.url, "anvil_reorg", [depth, []])
}

/** The chain's time passes the requests' deadline, and that becomes final. */
export const passDeadline = async (bench: RelayBench, { sponsorship }: Publication): Promise<void> => {
  const deadlines = sponsorship.authorizations.map(({ message }) => Number(message.deadline))
  await rpc(bench.chain.url, "evm_setNextBlockTimestamp", [Math.max(...deadlines) + 1])
  await mine(bench, BLOCKS_TO_FINALITY)
}

/** Anvil calls a block final once so many are above it. */
export const BLOCKS_TO_FINALITY = 66

/** The next sweep of any worker takes the plan, and what was proved of it at a final block. */
export const makeDue = async ({ service }: RelayBench, { plan }: Publication): Promise<void> => {
  await sqlOn(
    service.databaseUrl,
    "UPDATE plans SET sweep_at = unix_millis() WHERE id = $1 AND sweep_at IS NOT NULL",
    [plan.id]
  )
  await sqlOn(
    service.databaseUrl,
    "UPDATE sponsored_calls SET sweep_at = unix_millis() WHERE plan = $1 AND sweep_at IS NOT NULL",
    [plan.id]
  )
}

/** What a provider says of a request: where to look. */
export const hint = ({ service }: RelayBench, { sponsorship }: Publication, hash: Hex, step = 0) =>
  sqlOn(service.databaseUrl, "UPDATE sponsored_calls SET hint = $2 WHERE sponsorship = $1 AND step = $3", [
    sponsorship.id,
    hash,
    step
  ])

export const hintOf = async ({ service }: RelayBench, { sponsorship }: Publication, step = 0) => {
  const select = "SELECT hint FROM sponsored_calls WHERE sponsorship = $1 AND step = $2"
  const [row] = await sqlOn(service.databaseUrl, select, [sponsorship.id, step])
  return row?.hint
}
