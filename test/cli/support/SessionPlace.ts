/** A wallet of three owners whose key files are here, and a bot of theirs whose key file is too. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { toHex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { assert } from "vitest"

import { createWallet } from "../../smartaccounts/support/Wallets.ts"
import { enroll } from "../../support/Bots.ts"
import { rpc } from "../../support/Rpc.ts"
import { bindWallet, partyOf, startOperatingBench } from "../../useroperations/support/Operating.ts"
import type { Ran } from "./Cli.ts"
import { runHere } from "./InProcess.ts"
import { losingProxy } from "./LosingProxy.ts"

const byAddress = (a: `0x${string}`, b: `0x${string}`) =>
  privateKeyToAccount(a).address.toLowerCase() < privateKeyToAccount(b).address.toLowerCase() ? -1 : 1

const FUNDS = toHex(10n ** 20n)

export const sessionPlace = async (operating: Parameters<typeof startOperatingBench>[0] = {}) => {
  const bench = await startOperatingBench({ recovers: true, ...operating })
  await rpc(bench.chain.url, "evm_setIntervalMining", [1])
  const proxy = await losingProxy(bench.service.url)
  const directory = await mkdtemp(join(tmpdir(), "session-commands-"))
  const at = (name: string) => join(directory, name)
  const keys = [generatePrivateKey(), generatePrivateKey(), generatePrivateKey()].sort(byAddress)
  const owners = keys.map(key => privateKeyToAccount(key))
  const owner = partyOf(owners[0] ?? assert.fail("no owner"))
  for (const [index, privateKey] of keys.entries()) {
    const { address } = privateKeyToAccount(privateKey)
    await writeFile(at(`owner-${index}.json`), JSON.stringify({ privateKey, address }), { mode: 0o600 })
    await rpc(bench.chain.url, "anvil_setBalance", [address, FUNDS])
  }
  await enroll(bench.service, owner)
  const { address: wallet } = await createWallet(bench.sandbox, {
    owners: owners.map(({ address }) => address)
  })
  await rpc(bench.chain.url, "anvil_setBalance", [wallet, FUNDS])
  await bindWallet(bench.service, owner, owners, wallet)

  const environment = (url: string): Readonly<Record<string, string>> => ({
    FUNDING_URL: url,
    FUNDING_RPC: bench.chain.url,
    FUNDING_KEY_FILE: at("owner-0.json"),
    FUNDING_STATE_DIR: at("state")
  })
  const run = (args: ReadonlyArray<string>, url = proxy.url): Promise<Ran> => runHere(args, environment(url))
  const succeeded = async (args: ReadonlyArray<string>): Promise<Ran> => {
    const ran = await run(args)
    assert.strictEqual(ran.code, 0, `${args.join(" ")}\n${ran.stderr}\n${ran.stdout}`)
    return ran
  }
  const stop = async () => {
    await proxy.stop()
    await bench.stop()
    await rm(directory, { recursive: true })
  }
  await succeeded(["bot", "create", "--out", at("bot.json"), "--scope", "relay", "--days", "30"])
  return { bench, proxy, at, owners, wallet, environment: environment(proxy.url), run, succeeded, stop }
}
