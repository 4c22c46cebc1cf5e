import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { type Address, erc20Abi, erc721Abi, parseAbiItem, parseEther, parseUnits, zeroAddress } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { sandboxUsdOf } from "../../sandbox/families/routing.ts"
import { buildCli, type Cli } from "../cli/support/Cli.ts"
import { type Acting, beneficiary, holder, onSandbox, owner } from "../sandbox/support/Sandbox.ts"
import type { RecordingProxy } from "../support/RecordingProxy.ts"
import { NATIVE_TOKEN, type Sandbox, startSandbox } from "../support/Sandbox.ts"
import { follow } from "./support/Journey.ts"
import { sessionRevokedBare, sessionTipped } from "./support/SessionsActed.ts"
import { walletActed } from "./support/WalletActed.ts"

const DIRECTORY = "docs/guides/journeys"

/** The topic of RepayLoan. */
const REPAY_LOAN = "0xedb8051db9cec469f372f7885c120cda7fd17e705ba874d1b7ef096592e36903"

type Check = (chain: Acting, bundling: RecordingProxy | undefined) => Promise<void>

const tokensOf = (chain: Acting, account: Address, projectId: bigint) =>
  chain.client.readContract({
    ...chain.contract("JBTokens"),
    functionName: "totalBalanceOf",
    args: [account, projectId]
  })

/** What each guide leaves on the chain. */
const effects: Readonly<Record<string, Check>> = {
  "1-pay-with-an-erc-20.md": async chain => {
    const token = sandboxUsdOf({ holder: holder.address })
    const balance = await chain.client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [holder.address]
    })
    assert.strictEqual(balance, parseUnits("999975", 6))
    assert.isAbove(Number(await tokensOf(chain, holder.address, 6n)), 0)
  },
  "2-cash-out.md": async chain => {
    assert.strictEqual(await tokensOf(chain, owner.address, 2n), parseEther("700"))
  },
  "3-launch-a-project.md": async chain => {
    assert.strictEqual(await tokensOf(chain, owner.address, 7n), parseEther("1800"))
    const held = await chain.client.readContract({
      ...chain.contract("JBTerminalStore"),
      functionName: "balanceOf",
      args: [chain.at("JBMultiTerminal"), 7n, NATIVE_TOKEN]
    })
    assert.strictEqual(held, parseEther("1"))
    const [, metadata] = await chain.client.readContract({
      ...chain.contract("JBController"),
      functionName: "upcomingRulesetOf",
      args: [7n]
    })
    assert.isTrue(metadata.pausePay)
  },
  "4-launch-an-nft-shop.md": async chain => {
    const [hook = assert.fail("no shop")] = await chain.client.getLogs({
      address: chain.at("JB721TiersHookDeployer"),
      event: parseAbiItem("event HookDeployed(uint256 indexed projectId, address hook, address caller)"),
      args: { projectId: 7n },
      fromBlock: 0n
    })
    const { hook: address = zeroAddress } = hook.args
    const nfts = await chain.client.readContract({
      address,
      abi: erc721Abi,
      functionName: "balanceOf",
      args: [owner.address]
    })
    assert.strictEqual(nfts, 3n)
  },
  "5-deploy-a-revnet.md": async chain => {
    assert.strictEqual(await tokensOf(chain, beneficiary.address, 7n), parseEther("500"))
    assert.isAbove(Number(await tokensOf(chain, owner.address, 7n)), 0)
  },
  "6-take-a-loan.md": async chain => {
    const owned = await chain.client.readContract({
      address: chain.at("REVLoans"),
      abi: erc721Abi,
      functionName: "balanceOf",
      args: [holder.address]
    })
    assert.strictEqual(owned, 0n)
    const given = await tokensOf(chain, holder.address, 4n)
    assert.isAbove(Number(given), 0)
    const logs = await chain.client.getLogs({ address: chain.at("REVLoans"), fromBlock: 0n })
    assert.isTrue(logs.some(({ topics }) => topics[0] === REPAY_LOAN))
  },
  "7-claim-a-bridge-transfer.md": async chain => {
    assert.strictEqual(await tokensOf(chain, holder.address, 5n), parseEther("1000"))
  },
  "8-write-a-program.md": async chain => {
    assert.strictEqual(await tokensOf(chain, owner.address, 2n), 0n)
  },
  "9-somebody-else-pays-the-gas.md": async chain => {
    assert.strictEqual(await tokensOf(chain, owner.address, 2n), parseEther("8"))
    const [executed, ...others] = await chain.client.getLogs({
      address: chain.at("ERC2771Forwarder"),
      fromBlock: 0n
    })
    assert.lengthOf(others, 0)
    const { from } = await chain.client.getTransaction({
      hash: executed?.transactionHash ?? assert.fail("nothing was executed")
    })
    assert.notStrictEqual(from.toLowerCase(), owner.address.toLowerCase())
  },
  "10-a-wallet-of-two-owners-pays.md": walletActed,
  "11-a-bot-may-tip-for-a-week.md": sessionTipped,
  "12-revoke-without-the-service.md": sessionRevokedBare
}

let cli: Cli

beforeAll(async () => {
  cli = await buildCli()
})

afterAll(() => cli.remove())

describe("the journeys", () => {
  it("are all followed here", async () => {
    assert.sameMembers(await readdir(DIRECTORY), Object.keys(effects))
  })

  for (const [file, check] of Object.entries(effects))
    it(`${file} leads where it says`, async () => {
      const beside = { sponsored: file.startsWith("9-"), bundled: /^1[012]-/.test(file) }
      const sandbox: Sandbox = await startSandbox({ confirmations: 1, ...beside })
      try {
        const env = { FUNDING_URL: sandbox.service.url, FUNDING_RPC: sandbox.chain.url }
        await follow(join(DIRECTORY, file), cli, env)
        await check(onSandbox(sandbox.chain.url, sandbox.manifest), sandbox.bundling)
      } finally {
        await sandbox.stop()
      }
    }, 240_000)
})
