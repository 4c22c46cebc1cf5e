/** A service whose wallets act through a scripted bundler and a scripted paymaster, which keep what they were asked and lie where they are told to. */
import { Redacted } from "effect"
import type { Hex } from "viem"
import { assert } from "vitest"
import type { UserOperation } from "../../../src/values/UserOperation.ts"
import { type ScriptedBundler, startScriptedBundler } from "../../bundler/scripted/Scripted.ts"
import { onSandbox, type Sandbox } from "../../sandbox/support/Sandbox.ts"
import { manifestFile } from "../../smartaccounts/support/WalletService.ts"
import { type RelayBench, startRelayBench } from "../../support/RelayBench.ts"
import type { ServiceOptions } from "../../support/Service.ts"
import { testSettings } from "../../support/Settings.ts"
import { connected } from "../../support/Sql.ts"
import { until } from "../../support/Until.ts"
import {
  type BoundTestWallet,
  boundWallet,
  envelopeOf,
  type ShownOperation,
  shownOperation
} from "../../useroperations/support/Operating.ts"
import { newWallet, signedOperation } from "../../useroperations/support/Sent.ts"
import { auditOperations, type StoredRow, storedOperations, type ToldOperation } from "../operating/Audit.ts"
import { type CarriedOut, carriedOutOn } from "../operating/Events.ts"

const CHAIN_ID = 31_337
/** Each of its own nonce key, so that all fit into one bundle of one wallet. */
const LANE = 64n

export interface CarriedStand extends RelayBench {
  readonly sandbox: Sandbox
  readonly script: ScriptedBundler
  /** Operations of another wallet, which may share a bundle with any. */
  readonly companions: () => Promise<ReadonlyArray<UserOperation>>
  readonly told: Array<{ readonly operation: ToldOperation; readonly at: number }>
  /** By their hashes, the operations that its chain had carried out before a reorganisation. */
  readonly onceCarriedOut: Set<string>
}

let lanes = 0n

const companionsOn = (bench: RelayBench, count: number) => {
  let wallet: ReturnType<typeof newWallet> | undefined
  return async (): Promise<ReadonlyArray<UserOperation>> => {
    wallet ??= newWallet(bench)
    const companion = await wallet
    const calls = [{ to: companion.address, value: "0", data: "0x" }] as const
    const found: Array<UserOperation> = []
    for (let each = 0; each < count; each++) {
      lanes += 1n
      found.push((await signedOperation(bench, companion, calls, { nonce: lanes << LANE })).operation)
    }
    return found
  }
}

export const startCarriedStand = async (
  options: ServiceOptions,
  companions: number
): Promise<CarriedStand> => {
  const { smartManifests, remove } = await manifestFile()
  let script: ScriptedBundler | undefined
  let companionsOf = (): Promise<ReadonlyArray<UserOperation>> => assert.fail("no bench")
  const bench = await startRelayBench({
    ...options,
    settings: { smartManifests },
    settingsOn: async chainUrl => {
      script = await startScriptedBundler({ chainUrl, companions: () => companionsOf() })
      const url = Redacted.make(script.url)
      const bundlers = [{ chainId: CHAIN_ID, urls: [url] }]
      const paymasters = [{ chainId: CHAIN_ID, url, context: Redacted.make({}) }]
      return { userOperations: { ...testSettings().userOperations, bundlers, paymasters } }
    }
  })
  companionsOf = companionsOn(bench, companions)
  if (script === undefined) return assert.fail("no bundler")
  const { stop: silence } = script
  const stop = async () => {
    await bench.stop()
    await silence()
    await remove()
  }
  const sandbox = { ...onSandbox(bench.chain.url, bench.manifest), stop: bench.chain.stop }
  const books = { told: [], onceCarriedOut: new Set<string>() }
  return { ...bench, ...books, sandbox, script, companions: () => companionsOf(), stop }
}

/** An operation with what its owners signed. */
export interface Ready extends BoundTestWallet {
  readonly operation: ShownOperation
  readonly signature: Hex
}

export const readied = async (standing: BoundTestWallet, operation: ShownOperation): Promise<Ready> => ({
  ...standing,
  operation,
  signature: await envelopeOf(operation, standing.owners)
})

export const newBoundWallet = async (stand: CarriedStand): Promise<BoundTestWallet> => {
  const bound = await boundWallet(stand)
  await stand.sandbox.client.setBalance({ address: bound.wallet.address, value: 10n ** 19n })
  return bound
}

/** As it is told now, and kept for the comparison at the end. */
export const lookAt = async (stand: CarriedStand, { owner, operation }: Ready): Promise<ShownOperation> => {
  const shown = await shownOperation(stand.service, owner, operation)
  assert.isString(shown.state, JSON.stringify(shown))
  stand.told.push({ operation: shown, at: Date.now() })
  return shown
}

export const carriedOut = ({ chain }: CarriedStand): Promise<CarriedOut> => carriedOutOn(chain.url)

const VERIFIED_AMONG_SEVERAL = `SELECT o.id FROM user_operations o JOIN plan_steps s ON s.plan = o.plan AND s.step = ANY (o.steps)
  WHERE cardinality(o.steps) > 1 AND s.semantic->>'status' = 'verified'`

const BOUND_OTHERWISE = `SELECT o.id FROM user_operations o JOIN transport_bindings b ON b.plan = o.plan AND b.step = ANY (o.steps)
  JOIN operation_sends d ON d.operation = o.id WHERE b.binding_id <> o.id`

const idsIn = async (stand: CarriedStand, sql: string): Promise<ReadonlyArray<string>> => {
  const client = await connected(stand.service.databaseUrl)
  try {
    return (await client.query<{ readonly id: string }>(sql)).rows.map(({ id }) => id)
  } finally {
    await client.end()
  }
}

/** Half as long as a hurried service waits for a bundler that says nothing. */
const OPEN_FOR_LONG = `SELECT pid || ' since ' || xact_start AS id FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < clock_timestamp() - interval '1 second'`

/** E15: nothing of the database is held open while a question waits for its answer. */
export const heldMeanwhile = async (
  stand: CarriedStand,
  asking: Promise<unknown>
): Promise<ReadonlyArray<string>> => {
  const held: Array<string> = []
  let isOver = false
  const over = () => {
    isOver = true
  }
  asking.then(over, over)
  await until(
    async () => {
      held.push(...(await idsIn(stand, OPEN_FOR_LONG)))
      return isOver
    },
    done => done
  )
  return held
}

/** All that is broken, of everything that happened on the stand. */
export const brokenOn = async (
  stand: CarriedStand,
  told: CarriedStand["told"] = stand.told
): Promise<ReadonlyArray<string>> => {
  const client = await connected(stand.service.databaseUrl)
  const rows = await storedOperations(async text => (await client.query<StoredRow>(text)).rows)
  await client.end()
  const found: Record<string, ReadonlyArray<string>> = {
    ...auditOperations({
      rows,
      sent: stand.script.sent,
      carriedOut: await carriedOut(stand),
      told
    }),
    "E2 one transport for a step": await idsIn(stand, BOUND_OTHERWISE),
    "E18 no call of several is verified": await idsIn(stand, VERIFIED_AMONG_SEVERAL)
  }
  return Object.entries(found).flatMap(([name, each]) => each.map(line => `${name}: ${line}`))
}
