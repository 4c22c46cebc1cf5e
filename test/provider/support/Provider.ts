/** A provider beside a sandbox chain, what is published to it, and who pays it. */
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { type Address, type Hex, isHex } from "viem"
import { assert } from "vitest"
import type { BundleAnswer, PublicationAnswer } from "../../../sandbox/provider/Answers.ts"
import type { Lie, Path } from "../../../sandbox/provider/Faults.ts"
import { runProvider } from "../../../sandbox/provider/Run.ts"
import {
  executeData,
  type Forwarding,
  receiptOf,
  type SignedForwardRequest
} from "../../sandbox/support/Forwarding.ts"
import { stranger } from "../../sandbox/support/Sandbox.ts"
import { keptProgram } from "../../support/KeptProgram.ts"
import { until } from "../../support/Until.ts"

export const TOKEN = "of the tests"

export interface Reached {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** In this process; its file goes with it. */
export const startProvider = async ({
  sandbox
}: {
  readonly sandbox: { readonly url: string }
}): Promise<Reached> => {
  const directory = await mkdtemp(join(tmpdir(), "provider-"))
  const { url, stop } = await runProvider({
    rpcUrl: sandbox.url,
    file: join(directory, "bundles"),
    token: TOKEN,
    port: 0,
    report: () => {}
  })
  return {
    url,
    stop: async () => {
      await stop()
      await rm(directory, { recursive: true })
    }
  }
}

export interface ProviderProcess {
  readonly url: string
  /** Sends the signal and waits for the end. */
  readonly end: (signal: "SIGTERM" | "SIGKILL") => Promise<number | null>
}

const running = new Set<ProviderProcess>()

/** Those that a failed test left. */
export const endProviders = () => Promise.all([...running].map(({ end }) => end("SIGKILL")))

/** In a process of its own. */
export const spawnProvider = async (rpcUrl: string, file: string): Promise<ProviderProcess> => {
  const child = spawn(process.execPath, [await keptProgram("sandbox/provider/main.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      SANDBOX_PROVIDER_RPC_URL: rpcUrl,
      SANDBOX_PROVIDER_FILE: file,
      SANDBOX_PROVIDER_TEST_TOKEN: TOKEN
    }
  })
  const ended = new Promise<number | null>(resolve => child.once("exit", code => resolve(code)))
  const said: Array<string> = []
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line)
    const [, url] = /^Listening on (\S+)$/.exec(line) ?? []
    if (url === undefined) continue
    const launched: ProviderProcess = {
      url,
      end: signal => {
        child.kill(signal)
        running.delete(launched)
        return ended
      }
    }
    running.add(launched)
    return launched
  }
  return assert.fail(said.join("\n"))
}

export const publicationOf = (forwarder: Address, requests: ReadonlyArray<SignedForwardRequest>) => ({
  transactions: requests.map((request, index) => ({
    chain: 31_337,
    target: forwarder,
    data: executeData(request),
    value: String(request.value),
    virtual_nonce: index
  })),
  virtual_nonce_mode: "ChainIndependent"
})

export const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })

export const postBundle = (url: string, body: unknown) => post(`${url}/v1/bundle/prepaid`, body)

export const publish = async (
  { url }: { readonly url: string },
  { forwarder }: Forwarding,
  requests: ReadonlyArray<SignedForwardRequest>
): Promise<PublicationAnswer> => {
  const answer = await postBundle(url, publicationOf(forwarder, requests))
  assert.equal(answer.status, 201, await answer.clone().text())
  return await answer.json()
}

export const getBundle = (url: string, uuid: string) =>
  fetch(`${url}/v1/bundle/${uuid}`, { redirect: "manual" })

export const bundleOf = async ({ url }: { readonly url: string }, uuid: string): Promise<BundleAnswer> => {
  const answer = await getBundle(url, uuid)
  assert.equal(answer.status, 200)
  return await answer.json()
}

export const statesOf = ({ transactions }: BundleAnswer): ReadonlyArray<string> =>
  transactions.map(({ status }) => status.state)

export const hashesOf = ({ transactions }: BundleAnswer): ReadonlyArray<Hex | undefined> =>
  transactions.map(({ status }) => status.data?.hash)

/** The bundle once all its requests have these states. */
export const bundleIn = (reached: { readonly url: string }, uuid: string, states: ReadonlyArray<string>) =>
  until(
    () => bundleOf(reached, uuid),
    bundle => statesOf(bundle).join() === states.join()
  )

/** As it is asked to, by a stranger. */
export const pay = async (
  { sandbox }: Forwarding,
  { payment_info: [payment] }: PublicationAnswer,
  change: { readonly amount?: bigint; readonly calldata?: Hex } = {}
) => {
  assert.isDefined(payment)
  const { target, calldata, amount } = payment
  const data = change.calldata ?? calldata
  assert.isTrue(isHex(data))
  const sent = { account: stranger, to: target, data, value: change.amount ?? BigInt(amount) }
  return receiptOf(sandbox, await sandbox.client.sendTransaction(sent))
}

interface Arming {
  readonly lie: Lie
  readonly path: Path
  readonly call?: number
  readonly times?: number
  readonly millis?: number
}

const test = { authorization: `Bearer ${TOKEN}` }

export const arm = async ({ url }: { readonly url: string }, fault: Arming): Promise<void> => {
  const answer = await post(`${url}/faults`, fault, test)
  assert.equal(answer.status, 200, await answer.text())
}

export const disarm = ({ url }: { readonly url: string }) =>
  fetch(`${url}/faults`, { method: "DELETE", headers: test })

export const armed = async ({ url }: { readonly url: string }) => {
  const answer = await fetch(`${url}/faults`, { headers: test })
  return (await answer.json()).armed
}
