/** Plans of payments on their way, and what is done to a relay from outside. */
import type { Hex } from "viem"
import { assert } from "vitest"
import type { Item } from "./Bundles.ts"
import { callOf, payment, planned } from "./PlannedCalls.ts"
import { newPayer, type RelayBench } from "./RelayBench.ts"
import { rpc } from "./Rpc.ts"
import { signCall } from "./SignedCalls.ts"
import { sqlOn } from "./Sql.ts"
import { refreshed, submitted } from "./Submissions.ts"
import { until } from "./Until.ts"

/** A plan of one payment, and its bytes, which nobody has sent. */
export const signedPayment = async (bench: RelayBench) => {
  const owner = await newPayer(bench)
  const plan = await planned(bench, owner)
  const raw = await signCall(bench, owner, callOf(plan))
  return { owner, plan, raw, body: { rawSignedTransaction: raw } }
}

/** A plan of so many payments, one after the other, of which the first was submitted. */
export const relayed = async (bench: RelayBench, options: { readonly calls?: number } = {}) => {
  const owner = await newPayer(bench)
  const pay = payment(bench, owner.key.address)
  const chained = [pay, { ...pay, dependsOn: [0] }, { ...pay, dependsOn: [1] }]
  const plan = await planned(bench, owner, { calls: chained.slice(0, options.calls ?? 1) })
  const raw = await signCall(bench, owner, callOf(plan))
  await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
  return { owner, plan, raw, refresh: () => refreshed(bench.service, owner, plan) }
}

/** As if half a minute had gone by. */
export const endLease = ({ service }: Pick<RelayBench, "service">, planId: string) =>
  sqlOn(service.databaseUrl, "UPDATE dispatch_leases SET expires_at = unix_millis() WHERE plan = $1", [
    planId
  ])

/** Replaces the newest blocks by empty ones. */
export const reorg = ({ chain }: Pick<RelayBench, "chain">, depth: number) =>
  rpc(chain.url, "anvil_reorg", [depth, []])

export const rawOf = (items: ReadonlyArray<Item>, position: number): Hex =>
  items[position]?.rawSignedTransaction ?? assert.fail("no such item")

/** Past the service; the node answers before it has mined. */
export const sendDirectly = async ({ chain }: Pick<RelayBench, "chain">, raw: string): Promise<void> => {
  const hash = await rpc(chain.url, "eth_sendRawTransaction", [raw])
  await until(
    () => rpc(chain.url, "eth_getTransactionReceipt", [hash]),
    receipt => receipt !== null
  )
}

/** Lets the node answer the nth call of the method from now on, and keeps the answer back until it is let go. */
export const holdAnswer = ({ proxy }: Pick<RelayBench, "proxy">, method: string, nth = 1) => {
  let calls = 0
  let letGo = () => {}
  const released = new Promise<void>(resolve => {
    letGo = resolve
  })
  const reached = new Promise<void>(resolve => {
    const act = { kind: "hold", reached: resolve, released } as const
    proxy.fault({ method, phase: "after", within: () => ++calls === nth, act })
  })
  return { reached, letGo }
}

/**
 * Lets the chain stand while requests race: a local chain that mines meanwhile answers a call at its last head with that block's
 * environment over the next block's state, which no node may do.
 */
export const whileChainStands = async (
  { chain }: Pick<RelayBench, "chain">,
  race: () => Promise<void>
): Promise<void> => {
  await rpc(chain.url, "evm_setAutomine", [false])
  try {
    await race()
  } finally {
    await rpc(chain.url, "evm_setAutomine", [true])
    await rpc(chain.url, "anvil_mine", ["0x1"])
  }
}
