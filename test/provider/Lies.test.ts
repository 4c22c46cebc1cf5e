/** Each lie about answers is told as it was armed, and the honest answer beside it is another. */
import { size } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { BundleAnswer, PaymentInfo, PublicationAnswer } from "../../sandbox/provider/Answers.ts"
import type { Lie } from "../../sandbox/provider/Faults.ts"
import { bundleBytes } from "../../sandbox/provider/PaymentContract.ts"
import { type Forwarding, receiptOf, signedRequest, startForwarding } from "../sandbox/support/Forwarding.ts"
import { beneficiary, holder } from "../sandbox/support/Sandbox.ts"
import { until } from "../support/Until.ts"
import {
  arm,
  bundleIn,
  bundleOf,
  disarm,
  hashesOf,
  pay,
  publish,
  type Reached,
  startProvider,
  statesOf
} from "./support/Provider.ts"

let world: Forwarding
let provider: Reached
/** Executed. */
let executed: BundleAnswer

const publishTwo = async () =>
  publish(provider, world, [await signedRequest(world, holder), await signedRequest(world, beneficiary)])

beforeAll(async () => {
  world = await startForwarding()
  provider = await startProvider(world)
  const published = await publishTwo()
  await pay(world, published)
  executed = await bundleIn(provider, published.bundle_uuid, ["Success", "Success"])
})
afterAll(async () => {
  await provider.stop()
  await world.sandbox.stop()
})

const payment = ({ payment_info: [first = assert.fail()] }: PublicationAnswer): PaymentInfo => first
const idsOf = ({ tx_uuids = [] }: PublicationAnswer) => tx_uuids
const bundleNamed = ({ calldata }: PaymentInfo) => calldata.slice(10, 42)
const distinct = (items: ReadonlyArray<unknown>) => new Set(items).size

/** What the answer shows of the lie, which no honest answer shows. */
const PUBLICATIONS: ReadonlyArray<readonly [Lie, (answer: PublicationAnswer) => boolean]> = [
  ["bundle-id", answer => `0x${bundleNamed(payment(answer))}` !== bundleBytes(answer.bundle_uuid)],
  ["ids-fewer", answer => idsOf(answer).length === 1],
  ["ids-more", answer => distinct(idsOf(answer)) === 3],
  ["ids-doubled", answer => idsOf(answer).length === 2 && distinct(idsOf(answer)) === 1],
  [
    "ids-disagreeing",
    ({ tx_uuids, txn_uuids }) => txn_uuids !== undefined && `${tx_uuids}` !== `${txn_uuids}`
  ],
  ["other-forms", answer => idsOf(answer).length === 0 && /Z$/.test(`${payment(answer).payment_deadline}`)],
  ["payment-target", answer => /bb$/.test(payment(answer).target)],
  ["payment-token", answer => /bb$/.test(payment(answer).token)],
  ["payment-calldata", answer => payment(answer).calldata.startsWith("0xdeadbeef")],
  ["payment-bundle", answer => `0x${bundleNamed(payment(answer))}` !== bundleBytes(answer.bundle_uuid)],
  [
    "payment-deadline",
    answer => Number(`0x${payment(answer).calldata.slice(-10)}`) !== payment(answer).payment_deadline
  ],
  ["payment-zero", answer => payment(answer).amount === "0"],
  ["payment-negative", answer => BigInt(payment(answer).amount) < 0n],
  ["payment-largest", answer => BigInt(payment(answer).amount) === 2n ** 256n - 1n],
  [
    "payment-chain-twice",
    ({ payment_info }) => payment_info.length === 2 && distinct(payment_info.map(({ chain }) => chain)) === 1
  ],
  ["payment-chain-unknown", answer => payment(answer).chain === 999_999],
  ["payments-five", ({ payment_info }) => distinct(payment_info.map(({ chain }) => chain)) === 5]
]

describe("of a publication", () => {
  it.each(PUBLICATIONS)("%s", async (lie, shows) => {
    assert.isFalse(shows(await publishTwo()))
    await arm(provider, { lie, path: "publication" })
    const told = await publishTwo()
    assert.isTrue(shows(told))
    assert.equal(size(payment(told).calldata), 68)
    assert.isFalse(shows(await publishTwo()))
  })

  it("ids-reordered", async () => {
    await arm(provider, { lie: "ids-reordered", path: "publication" })
    const told = await publishTwo()
    const { transactions } = await bundleOf(provider, told.bundle_uuid)
    assert.deepEqual(
      transactions.map(({ tx_uuid }) => tx_uuid),
      idsOf(told).toReversed()
    )
  })

  it("code-replaced, until it is disarmed", async () => {
    const published = await publishTwo()
    const address = payment(published).target
    const code = await world.sandbox.client.getCode({ address })
    await arm(provider, { lie: "code-replaced", path: "bundle" })
    await bundleOf(provider, published.bundle_uuid)
    assert.equal(await world.sandbox.client.getCode({ address }), "0x00")
    await disarm(provider)
    assert.equal(await world.sandbox.client.getCode({ address }), code)
  })
})

const requestsOf = ({ transactions }: BundleAnswer) => transactions.map(({ request }) => request)
const differs = (member: "chain" | "data" | "value") => (told: BundleAnswer) =>
  requestsOf(told)[0]?.[member] !== requestsOf(executed)[0]?.[member] &&
  requestsOf(told)[1]?.[member] === requestsOf(executed)[1]?.[member]

const BUNDLES: ReadonlyArray<readonly [Lie, (told: BundleAnswer) => boolean]> = [
  ["bundle-id", ({ bundle_uuid }) => bundle_uuid !== executed.bundle_uuid],
  ["ids-fewer", ({ transactions }) => transactions.length === 1],
  ["ids-more", ({ transactions }) => distinct(transactions.map(({ tx_uuid }) => tx_uuid)) === 3],
  ["ids-doubled", ({ transactions }) => distinct(transactions.map(({ tx_uuid }) => tx_uuid)) === 1],
  ["ids-reordered", ({ transactions }) => transactions[0]?.tx_uuid === executed.transactions[1]?.tx_uuid],
  [
    "other-forms",
    ({ transactions }) =>
      transactions.every(({ status }) => status.data?.hash === undefined && status.data?.transaction?.hash)
  ],
  ["request-byte", differs("data")],
  ["request-value", differs("value")],
  ["request-chain", differs("chain")],
  ["quote-changes", ({ payment_info: [first] }) => first?.amount !== executed.payment_info[0]?.amount],
  ["hash-shared", told => distinct(hashesOf(told)) === 1],
  ["success-without-hash", told => hashesOf(told).every(hash => hash === undefined)],
  ["state-long", told => statesOf(told).every(state => state.length === 10_240)]
]

describe("of a bundle", () => {
  it.each(BUNDLES)("%s", async (lie, shows) => {
    assert.isFalse(shows(executed))
    await arm(provider, { lie, path: "bundle" })
    assert.isTrue(shows(await bundleOf(provider, executed.bundle_uuid)))
    assert.deepEqual(await bundleOf(provider, executed.bundle_uuid), executed)
  })

  const told = async (lie: Lie) => {
    await arm(provider, { lie, path: "bundle" })
    const bundle = await bundleOf(provider, executed.bundle_uuid)
    assert.deepEqual(statesOf(bundle), ["Success", "Success"])
    const [hash = assert.fail("no hash")] = hashesOf(bundle)
    assert.notInclude(hashesOf(executed), hash)
    return hash
  }
  const transactionOf = (hash: `0x${string}`) =>
    world.sandbox.client.getTransaction({ hash }).catch(() => undefined)

  it("hash-foreign, which succeeded and is of others", async () => {
    const { status, from } = await receiptOf(world.sandbox, await told("hash-foreign"))
    assert.equal(status, "success")
    const { from: provider } = await receiptOf(world.sandbox, hashesOf(executed)[0] ?? "0x")
    assert.notEqual(from, provider)
  })

  it("hash-reverted, which is in a block", async () => {
    assert.equal((await receiptOf(world.sandbox, await told("hash-reverted"))).status, "reverted")
  })

  it("hash-unmined, which waits for ever", async () => {
    const transaction = await until(
      () => told("hash-unmined").then(transactionOf),
      found => found !== undefined
    )
    assert.isNull(transaction?.blockHash)
  })

  it("hash-other-chain, which this one never heard of", async () => {
    assert.isUndefined(await transactionOf(await told("hash-other-chain")))
  })

  it("leaves no gap where a reorganisation takes a lie's transaction away", async () => {
    const { blockNumber } = await receiptOf(world.sandbox, await told("hash-reverted"))
    const published = await publishTwo()
    await pay(world, published)
    const hashes = hashesOf(await bundleIn(provider, published.bundle_uuid, ["Success", "Success"]))
    const { client } = world.sandbox
    const depth = Number((await client.getBlockNumber()) - blockNumber) + 1
    await client.transport.request({ method: "anvil_rollback", params: [depth] })
    await client.mine({ blocks: 1 })
    await until(
      () =>
        Promise.all(hashes.map(hash => client.getTransactionReceipt({ hash: hash ?? "0x" }))).catch(() => []),
      receipts => receipts.length === 2
    )
  })

  it("goes on executing behind them", async () => {
    const published = await publishTwo()
    await pay(world, published)
    await bundleIn(provider, published.bundle_uuid, ["Success", "Success"])
  })
})
