/** A plan that creates a wallet of several owners: who will own it, and what of its bytes is not as it should be. */
import { encodeFunctionData, getAddress, type Hex, parseAbi } from "viem"
import { assert, describe, it } from "vitest"
import { createdWalletOf } from "../../src/review/CreatedWallet.ts"
import type { WalletParts } from "../../src/review/ExplainCall.ts"
import { contractsOf } from "../../src/review/GatherFacts.ts"
import { sentence } from "../../src/review/Words.ts"
import { walletInitializer } from "../../src/smartaccounts/Creation.ts"
import { walletAddress } from "../../src/smartaccounts/WalletAddress.ts"
import { published } from "../smartaccounts/support/Vectors.ts"
import { contracts, GUARD, walletOwners } from "../smartaccounts/support/Wallets.ts"
import { callOf, contract, linesOf, planOf, reviewOf, WALLET } from "./support/Reviews.ts"

const { factory, singleton } = contracts
const { proxyInitCodeHash: initCodeHash } = published.contracts

const described = contract(
  "SafeProxyFactory",
  [
    "function createProxyWithNonce(address _singleton, bytes initializer, uint256 saltNonce) returns (address proxy)"
  ],
  {}
)
const [instance] = described.detail.deployments[0]?.instances ?? []
const known = {
  ...described,
  detail: {
    ...described.detail,
    deployments: [
      {
        chainId: 31_337,
        status: "published" as const,
        instances: instance === undefined ? [] : [{ ...instance, address: factory }]
      }
    ]
  }
}

const OTHER = "0x00000000000000000000000000000000000000f1"

const creation = (initializer: Hex, { of = singleton, saltNonce = 42n } = {}) =>
  callOf(known, [of, initializer, saltNonce], [of, initializer, String(saltNonce)], { to: factory })

const reviewed = async (
  call: ReturnType<typeof creation>,
  named: ReadonlyArray<WalletParts> = [],
  account: Hex = WALLET
) => reviewOf(await planOf([call], { account }), known, { createdWallet: createdWalletOf(named) })

const owners = walletOwners.map(({ address }) => address)

const honest = walletInitializer(contracts, { owners, threshold: 2 }, [])

const setUpAbi = parseAbi([
  "function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)",
  "function addSafe7579(address adapter, (address, bytes)[] validators, (address, bytes)[] executors, (address, bytes)[] fallbacks, (address, bytes)[] hooks, address[] attesters, uint8 threshold)"
])

const NOBODY = "0x0000000000000000000000000000000000000000"

const installing = (over: { readonly adapter?: Hex; readonly executor?: Hex; readonly attester?: Hex }) =>
  encodeFunctionData({
    abi: setUpAbi,
    functionName: "addSafe7579",
    args: [
      over.adapter ?? contracts.adapter,
      [],
      over.executor === undefined ? [] : [[over.executor, "0x"]],
      [],
      [],
      over.attester === undefined ? [] : [over.attester],
      0
    ]
  })

const HONEST = {
  owners,
  threshold: 2n,
  to: contracts.launchpad,
  data: installing({}),
  fallbackHandler: contracts.adapter,
  paymentToken: NOBODY as Hex,
  payment: 0n,
  paymentReceiver: NOBODY as Hex
}

const settingUp = (over: Partial<Record<keyof typeof HONEST, unknown>>): Hex => {
  const all: ReadonlyArray<unknown> = Object.values({ ...HONEST, ...over })
  const [abi] = setUpAbi
  return encodeFunctionData({ abi: [abi], args: Object(all) })
}

describe("a plan that creates a wallet", () => {
  it("says where it will be, by how many it is owned and how many must sign", async () => {
    assert.equal(settingUp({}), honest)
    const address = walletAddress(factory, initCodeHash, honest, 42n)
    const review = await reviewed(creation(honest), [], owners[0])
    assert.deepEqual(review.dangers, [])
    const said = `You create a wallet at ${address} owned by 3 addresses, of which 2 must sign.`
    assert.equal(sentence(review.sentence), said)
    const [call = assert.fail("no call")] = review.calls
    assert.equal(sentence(call.sentence), said)
    const lines = linesOf(call.rows)
    assert.include(lines, `owner: ${owners[0]}, the planned wallet itself`)
    assert.include(lines, `owner: ${owners[2]}`)
    assert.notInclude(lines.join(), "no say in it")
  })

  it("warns whom none of it will belong to, and tells a single owner", async () => {
    const one = walletInitializer(contracts, { owners: owners.slice(0, 1), threshold: 1 }, [])
    const review = await reviewed(creation(one))
    assert.deepEqual(review.dangers, [])
    assert.match(sentence(review.sentence), /owned by 1 address, which must sign\.$/)
    assert.include(
      linesOf(review.calls[0]?.rows ?? []),
      "owner: the planned wallet is none of them and will have no say in it"
    )
  })

  it("may have the guard of the local chain, whoever names no manifest", async () => {
    const guarded = walletInitializer(contracts, { owners, threshold: 2 }, [GUARD])
    assert.deepEqual((await reviewed(creation(guarded))).dangers, [])
  })

  it.each(published.creation.vectors)("reads the published wallet $name", async vector => {
    const [guard] = vector.validators
    const { adapter, launchpad } = contracts
    const named = [{ adapter, launchpad, guard, adapterDialect: vector.adapterDialect }]
    const review = await reviewed(
      creation(vector.initializer, { saltNonce: BigInt(vector.saltNonce) }),
      named
    )
    assert.deepEqual(review.dangers, [])
    assert.include(
      sentence(review.sentence),
      `create a wallet at ${vector.address} owned by ${vector.owners.length} address`
    )
  })

  it("is explained by whoever gathers what reviews rest on, who asks for manifests then alone", async () => {
    let asked = 0
    const named = async () => {
      asked += 1
      return []
    }
    const catalog = { contract: async () => known.detail, list: assert.fail }
    const call = creation(honest)
    const plain = { ...call, data: `0x12345678${call.data.slice(10)}` } as const
    const open = Object(catalog)
    assert.isUndefined((await contractsOf(open, { calls: [plain] }, named)).createdWallet)
    assert.equal(asked, 0)
    const found = await contractsOf(open, { calls: [call] }, named)
    assert.isDefined(found.createdWallet)
    assert.equal(found.get(known.detail.id), known.detail)
    assert.equal(asked, 1)
  })
})

describe("a wallet is not what it seems", () => {
  const hostile: ReadonlyArray<readonly [string, Partial<Record<keyof typeof HONEST, unknown>>, RegExp]> = [
    ["another launchpad", { to: OTHER }, /handed to 0x0{38}F1 on its creation/i],
    ["no launchpad", { to: NOBODY }, /handed to 0x0{40} on its creation/],
    ["another fallback handler", { fallbackHandler: OTHER }, /acted for by 0x0{38}F1/i],
    ["another adapter behind it", { data: installing({ adapter: OTHER }) }, /other modules/],
    ["an executor", { data: installing({ executor: OTHER }) }, /other modules/],
    ["an attester", { data: installing({ attester: OTHER }) }, /other modules/],
    ["nothing installed", { data: "0x" }, /other modules/],
    ["more bytes than are installed", { data: `${HONEST.data}00` }, /other modules/],
    ["a payment", { payment: 1n }, /would pay 1 of 0x0{40} to 0x0{40}/],
    ["a payment in a token", { paymentToken: OTHER }, /would pay 0 of 0x0{38}F1/i],
    ["a receiver of payments", { paymentReceiver: OTHER }, /to 0x0{38}F1 for its creation/i],
    ["an owner twice", { owners: [owners[0], owners[1], owners[0]] }, /an owner twice/],
    ["an owner who is nobody", { owners: [NOBODY, owners[1]] }, /who is nobody/],
    ["the end of the list as owner", { owners: [getAddress(`0x${"1".padStart(40, "0")}`)] }, /who is nobody/],
    ["no owner", { owners: [], threshold: 0n }, /would have no owner/],
    ["nobody to sign", { threshold: 0n }, /^step 0: 0 of its 3 owners would have to sign$/],
    ["more to sign than own it", { threshold: 4n }, /4 of its 3 owners would have to sign/]
  ]
  it.each(hostile)("with %s", async (_, over, danger) => {
    const { dangers, ...review } = await reviewed(creation(settingUp(over)))
    assert.isTrue(
      dangers.some(each => danger.test(each)),
      dangers.join("\n")
    )
    assert.equal(sentence(review.sentence), "This plan is not what it seems: sign nothing of it.")
  })

  it.each<readonly [string, Hex]>([
    ["nothing", "0x"],
    ["another function", `0x12345678${honest.slice(10)}`],
    ["a cut end", honest.slice(0, -64) as Hex],
    ["bytes behind it", `${honest}00`],
    ["a word that is no address", honest.replace(/0{24}(?=27b1)/i, "f".repeat(24)) as Hex]
  ])("that is set up by %s", async (_, initializer) => {
    const { dangers } = await reviewed(creation(initializer))
    assert.deepEqual(dangers, ["step 0: the wallet would be set up by bytes that nothing explains"])
  })

  it("that runs other code than the Safe's", async () => {
    const { dangers } = await reviewed(creation(honest, { of: OTHER }))
    assert.match(dangers.join(), /would run the code of 0x0{38}F1, which is not the Safe's/i)
  })

  it("that has the guard of nobody's manifest, or the launchpad of another adapter", async () => {
    const guarded = walletInitializer(contracts, { owners, threshold: 2 }, [OTHER])
    assert.match((await reviewed(creation(guarded))).dangers.join(), /other modules/)
    const { adapter, launchpad, adapterDialect } = contracts
    const named = [{ adapter, launchpad, adapterDialect, guard: OTHER } as const]
    assert.deepEqual((await reviewed(creation(guarded), named)).dangers, [])
    const crossed = settingUp({ to: "0x75798463024bda64d83c94a64bc7d7eab41300ef" })
    assert.match((await reviewed(creation(crossed))).dangers.join(), /not its adapter's launchpad/)
  })
})
