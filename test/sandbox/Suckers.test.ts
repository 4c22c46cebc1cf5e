import {
  type Address,
  BaseError,
  decodeErrorResult,
  type Hex,
  parseEther,
  parseEventLogs,
  zeroHash
} from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../sandbox/calls.ts"
import { TO_REMOTE_FEE, word } from "../../sandbox/families/suckers.ts"
import { hashLeaf, treeOf } from "../operations/omnichain/support/Trees.ts"
import { holder, owner, startSandbox, stranger } from "./support/Sandbox.ts"
import {
  BRIDGED,
  BRIDGED_TOKEN,
  claimMany,
  claimOne,
  RECEIVER,
  SENDER,
  seededClaim,
  seededLeaf,
  suckerAbi,
  type TestClaim
} from "./support/suckers.ts"

const DAYS_15 = 15 * 86_400

const sandbox = await startSandbox()

afterAll(() => sandbox.stop())

const at = (address: Address) => ({ address, abi: suckerAbi })

const creditOf = (who: Address) =>
  sandbox.client.readContract({
    ...sandbox.contract("JBTokens"),
    functionName: "totalBalanceOf",
    args: [who, BRIDGED]
  })

const balance = () =>
  sandbox.client.readContract({
    ...sandbox.contract("JBTerminalStore"),
    functionName: "balanceOf",
    args: [sandbox.at("JBMultiTerminal"), BRIDGED, NATIVE_TOKEN]
  })

/** The name of the error that the call reverts with. */
const errorOf = async (to: Address, data: Hex, from = stranger.address): Promise<string> => {
  const failure = await sandbox.client.call({ to, data, account: from }).then(
    () => undefined,
    (cause: unknown) => cause
  )
  const found = failure instanceof BaseError ? failure.walk(cause => "data" in Object(cause)) : undefined
  return decodeErrorResult({ abi: suckerAbi, data: Object(found).data }).errorName
}

const sent = (data: Hex, account = stranger) =>
  sandbox.mined(sandbox.client.sendTransaction({ account, to: RECEIVER, data }))

/** Two further leaves for the holder, of which the second claim's proof is broken. */
const bridgeMore = async (): Promise<readonly [TestClaim, TestClaim]> => {
  const count = parseEther("400")
  const amounts: Array<bigint> = []
  await sandbox.mined(
    sandbox.client.writeContract({
      ...at(BRIDGED_TOKEN),
      account: owner,
      functionName: "approve",
      args: [SENDER, 2n * count]
    })
  )
  for (const _ of [1, 2]) {
    const { logs } = await sandbox.mined(
      sandbox.client.writeContract({
        ...at(SENDER),
        account: owner,
        functionName: "prepare",
        args: [count, word(holder.address), 0n, NATIVE_TOKEN, zeroHash]
      })
    )
    const [inserted] = parseEventLogs({ abi: suckerAbi, logs, eventName: "InsertToOutboxTree" })
    amounts.push(inserted?.args.terminalTokenAmount ?? 0n)
  }
  await sandbox.mined(
    sandbox.client.writeContract({
      ...at(SENDER),
      account: owner,
      functionName: "toRemote",
      args: [NATIVE_TOKEN],
      value: TO_REMOTE_FEE
    })
  )
  const further = amounts.map((amount, index) => ({
    ...seededLeaf,
    index: String(index + 1),
    projectTokenCount: String(count),
    terminalTokenAmount: String(amount)
  }))
  const tree = treeOf([seededLeaf, ...further].map(hashLeaf))
  const inbox = await sandbox.client.readContract({
    ...at(RECEIVER),
    functionName: "inboxOf",
    args: [NATIVE_TOKEN]
  })
  assert.deepEqual(inbox, { nonce: 2n, root: tree.root })
  const [first, second] = further.map(leaf => ({
    token: NATIVE_TOKEN,
    leaf,
    proof: tree.proofOf(Number(leaf.index))
  }))
  return [first ?? assert.fail("no leaf"), second ?? assert.fail("no leaf")]
}

describe("the sandbox's suckers", () => {
  it("are registered for their project, and are minimal proxies that name each other", async () => {
    const { client } = sandbox
    const registry = { ...at(sandbox.at("JBSuckerRegistry")) }
    assert.deepEqual(
      (await client.readContract({ ...registry, functionName: "allSuckersOf", args: [BRIDGED] })).map(each =>
        each.toLowerCase()
      ),
      [SENDER, RECEIVER]
    )
    assert.equal(
      await client.getCode({ address: SENDER }),
      `0x3d3d3d3d363d3d37363d73${sandbox.at("JBOptimismSucker").slice(2)}5af43d3d93803e602a57fd5bf3`
    )
    assert.isFalse(await client.readContract({ ...registry, functionName: "isSuckerOf", args: [2n, SENDER] }))
  })

  it("mint what is claimed, add what backs it to the balance, and do it once", async () => {
    const before = await balance()
    assert.equal(await creditOf(holder.address), 0n)
    const { logs } = await sent(claimOne(seededClaim))
    const [claimed] = parseEventLogs({ abi: suckerAbi, logs, eventName: "Claimed" })
    assert.equal(claimed?.args.caller, stranger.address)
    assert.equal(await creditOf(holder.address), parseEther("1000"))
    assert.equal((await balance()) - before, parseEther("1"))
    assert.equal(await errorOf(RECEIVER, claimOne(seededClaim)), "JBSucker_LeafAlreadyExecuted")
    const executed = await sandbox.client.readContract({
      ...at(RECEIVER),
      functionName: "executedLeafHashOf",
      args: [NATIVE_TOKEN, 0n]
    })
    assert.equal(executed, hashLeaf(seededLeaf))
  })

  it("claim several at once, of which one that fails leaves the others", async () => {
    const [good, other] = await bridgeMore()
    const broken = { ...other, proof: good.proof }
    assert.equal(await errorOf(RECEIVER, claimOne(broken)), "JBSucker_InvalidProof")
    const { logs } = await sent(claimMany([good, broken]))
    const claimed = parseEventLogs({ abi: suckerAbi, logs, eventName: "Claimed" })
    const failed = parseEventLogs({ abi: suckerAbi, logs, eventName: "ClaimFailed" })
    assert.deepEqual(
      claimed.map(({ args }) => [args.index, args.caller.toLowerCase()]),
      [[1n, RECEIVER]]
    )
    assert.deepEqual(
      failed.map(({ args }) => [args.index, args.caller]),
      [[2n, stranger.address]]
    )
    assert.equal(await creditOf(holder.address), parseEther("1400"))
  })

  it("tell their peer the project's accounts for nothing, at a time with a counter below it", async () => {
    const { client } = sandbox
    const sync = { ...at(SENDER), account: stranger, functionName: "syncAccountingData" } as const
    const failure = await client.simulateContract({ ...sync, value: 1n }).catch(String)
    assert.match(String(failure), /UnexpectedMsgValue/)
    const { logs, blockNumber } = await sandbox.mined(client.writeContract(sync))
    const [synced] = parseEventLogs({ abi: suckerAbi, logs, eventName: "AccountingDataSynced" })
    assert.equal(synced?.args.caller, stranger.address)
    const { timestamp } = await client.getBlock({ blockNumber })
    assert.equal((synced?.args.sourceTimestamp ?? 0n) >> 128n, timestamp)
    const [account] = await client.readContract({ ...at(RECEIVER), functionName: "peerChainAccountsOf" })
    const supply = await client.readContract({
      ...sandbox.contract("JBController"),
      functionName: "totalTokenSupplyWithReservedTokensOf",
      args: [BRIDGED]
    })
    assert.equal(account?.totalSupply, supply)
    assert.equal(account?.contexts[0]?.balance, await balance())
    assert.equal(account?.timestamp, synced?.args.sourceTimestamp)
  })

  it("hear nobody but their peer, and send nothing twice", async () => {
    const { client } = sandbox
    const message = {
      version: 1,
      token: word(NATIVE_TOKEN),
      amount: 0n,
      remoteRoot: { nonce: 9n, root: word(stranger.address) },
      accounts: []
    }
    const forged = client.simulateContract({
      ...at(RECEIVER),
      account: stranger,
      functionName: "fromRemote",
      args: [message]
    })
    assert.match(String(await forged.catch(String)), /NotPeer/)
    const again = client.simulateContract({
      ...at(SENDER),
      account: stranger,
      functionName: "toRemote",
      args: [NATIVE_TOKEN],
      value: TO_REMOTE_FEE
    })
    assert.match(String(await again.catch(String)), /NothingToSend/)
  })

  it("are made for whoever the owner permits, and stop sending before they end", async () => {
    const { client } = sandbox
    const registry = at(sandbox.at("JBSuckerRegistry"))
    const deploy = { ...registry, functionName: "deploySuckersFor", args: [BRIDGED, zeroHash, []] } as const
    assert.match(
      String(await client.simulateContract({ ...deploy, account: stranger }).catch(String)),
      /JBPermissioned_Unauthorized/
    )
    const { timestamp } = await client.getBlock()
    const end = Number(timestamp) + DAYS_15
    await sandbox.mined(
      client.writeContract({ ...at(SENDER), account: owner, functionName: "setDeprecation", args: [end] })
    )
    const state = () => client.readContract({ ...at(SENDER), functionName: "state" })
    const remove = { ...registry, functionName: "removeDeprecatedSucker", args: [BRIDGED, SENDER] } as const
    assert.equal(await state(), 1)
    await sandbox.pass(2 * 86_400)
    assert.equal(await state(), 2)
    const sync = { ...at(SENDER), account: stranger, functionName: "syncAccountingData" } as const
    assert.match(String(await client.simulateContract(sync).catch(String)), /Deprecated/)
    assert.match(
      String(await client.simulateContract({ ...remove, account: stranger }).catch(String)),
      /SuckerIsNotDeprecated/
    )
    await sandbox.pass(DAYS_15)
    await sandbox.mined(client.writeContract({ ...remove, account: stranger }))
    const ask = (functionName: "suckersOf" | "allSuckersOf") =>
      client.readContract({ ...registry, functionName, args: [BRIDGED] })
    assert.deepEqual([(await ask("suckersOf")).length, (await ask("allSuckersOf")).length], [1, 2])
    assert.isTrue(
      await client.readContract({ ...registry, functionName: "isSuckerOf", args: [BRIDGED, SENDER] })
    )
  })
})
