/** Asks operations over HTTP on the sandbox, and cuts each of their reads in turn. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { toFunctionSelector } from "viem"
import { assert } from "vitest"
import type { SandboxManifest } from "../../sandbox/deploy.ts"
import type { OperationInput, OperationOutput, ReadOperationId } from "../../src/client/Operations.ts"
import type { Anvil } from "./Anvil.ts"
import { enroll } from "./Bots.ts"
import { type Cut, type CuttingProxy, startCuttingProxy } from "./CuttingProxy.ts"
import { operationTarget } from "./OperationTarget.ts"
import { chainSettings } from "./Sandbox.ts"
import { startSandboxChain } from "./SandboxChain.ts"
import { type RunningService, type ServiceOptions, startService } from "./Service.ts"
import { newOwner, type Party, signedFetch } from "./SignedFetch.ts"

export interface OperationAnswer {
  readonly status: number
  readonly body: unknown
}

export interface OperationBench {
  readonly service: RunningService
  readonly chain: Anvil
  readonly manifest: SandboxManifest
  readonly node: CuttingProxy
  readonly owner: Party
  /** Any answer to any question, refusals too. */
  readonly ask: (id: string, input?: unknown, source?: string) => Promise<OperationAnswer>
  /** `answer("get_rulesets", { project: { chainId: 31337, projectId: "2" } })`, which has to succeed. */
  readonly answer: <Id extends ReadOperationId>(
    id: Id,
    input: OperationInput<Id>,
    source?: string
  ) => Promise<OperationOutput<Id>>
  /** Another process that has not asked its chain anything yet. */
  readonly replica: () => Promise<RunningService>
  readonly stop: () => Promise<void>
}

const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }
const log = { level: "error", format: "json" } as const

export const startOperationBench = async (options: ServiceOptions = {}): Promise<OperationBench> => {
  const chain = await startSandboxChain()
  const { manifest } = chain
  const directory = await mkdtemp(join(tmpdir(), "operations-"))
  const overlay = join(directory, "deployments.json")
  await writeFile(overlay, JSON.stringify(manifest))
  const node = await startCuttingProxy(chain.url)
  const settings = { chains: chainSettings(node.url), quotas, log, ...options.settings }
  const service = await startService({ ...options, overlays: [overlay], settings })
  const owner = newOwner()
  assert.strictEqual((await enroll(service, owner)).status, 200)
  const get = (id: string, input?: unknown, source?: string) =>
    signedFetch(service, owner, "GET", operationTarget(id, input, source))
  const ask = async (id: string, input?: unknown, source?: string): Promise<OperationAnswer> => {
    const answer = await get(id, input, source)
    return { status: answer.status, body: await answer.json() }
  }
  const answer = async <Id extends ReadOperationId>(id: Id, input: OperationInput<Id>, source?: string) => {
    const got = await get(id, input, source)
    const body: OperationOutput<Id> = await got.json()
    assert.strictEqual(got.status, 200, JSON.stringify(body))
    return body
  }
  const { databaseUrl, audience } = service
  const replica = () =>
    startService({ ...options, overlays: [overlay], databaseUrl, settings: { ...settings, audience } })
  const stop = async () => {
    await service.stop()
    await node.stop()
    await chain.stop()
    await rm(directory, { recursive: true })
  }
  return { service, chain, manifest, node, owner, ask, answer, replica, stop }
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isUnknown = (value: unknown): boolean =>
  isObject(value) && value.status === "unknown" && isObject(value.error)

/** Said in words, and changed by what is missing. */
const REMARKS = new Set(["warnings", "coverage", "quality"])

/** Where a cut answer says something else than the whole one, other than that it does not know. */
export const inventions = (whole: unknown, cut: unknown, at = ""): ReadonlyArray<string> => {
  if (isUnknown(cut) || cut === whole) return []
  if (Array.isArray(whole) && Array.isArray(cut) && whole.length === cut.length)
    return whole.flatMap((item, index) => inventions(item, cut[index], `${at}[${index}]`))
  if (isObject(whole) && isObject(cut)) {
    const names = [...new Set([...Object.keys(whole), ...Object.keys(cut)])].filter(
      name => !REMARKS.has(name)
    )
    return names.flatMap(name => inventions(whole[name], cut[name], `${at}.${name}`))
  }
  return [`${at}: ${JSON.stringify(whole)} became ${JSON.stringify(cut)}`]
}

/** Whether the cut answer says somewhere that it does not know what the whole one knows, itself or in part. */
export const lostIn = (whole: unknown, cut: unknown): boolean => {
  if (isUnknown(cut)) return !isUnknown(whole)
  if (Array.isArray(cut))
    return cut.some((item, index) => lostIn(Array.isArray(whole) ? whole[index] : whole, item))
  return isObject(cut) && Object.entries(cut).some(([name, member]) => lostIn(Object(whole)[name], member))
}

export interface CutAnswer extends OperationAnswer {
  readonly read: string
  readonly cut: Cut
}

/** Whether a read is a call of one of these functions. */
export const asksOneOf = (read: string, signatures: ReadonlyArray<string>): boolean =>
  signatures.some(signature => read.includes(` ${toFunctionSelector(signature)}`))

export const isTold = (whole: unknown, answer: unknown): boolean =>
  JSON.stringify(whole) !== JSON.stringify(answer)

/** The whole answer, and the answers with one read after the other cut, once by a revert and once by the node. */
export const cutEach = async (
  { node }: Pick<OperationBench, "node">,
  ask: () => Promise<OperationAnswer>
): Promise<{ readonly whole: OperationAnswer; readonly answers: ReadonlyArray<CutAnswer> }> => {
  await ask()
  const { value: whole, reads } = await node.during(ask)
  const answers: Array<CutAnswer> = []
  for (const read of reads)
    for (const cut of ["revert", "refuse"] as const)
      answers.push({ read, cut, ...(await node.cutting(read, cut, ask)) })
  return { whole, answers }
}
