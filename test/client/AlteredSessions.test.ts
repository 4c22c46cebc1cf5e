/** What a false service may tell of a session, and of the plans that enable and revoke it: refused before anybody signs. */
import { encodeAbiParameters } from "viem"
import { assert, describe, it } from "vitest"
import {
  checkLifecyclePlan,
  checkRevocable,
  checkSession,
  type SessionToCheck
} from "../../src/client/CheckSession.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import type { SessionPolicy } from "../../src/sessions/PolicyShape.ts"
import type { PublicSession } from "../../src/sessions/Session.ts"
import type { Bytes32, Hex } from "../../src/values/Scalars.ts"
import { sessionKey } from "../sessions/support/Policies.ts"
import { changed } from "../smartaccounts/support/Inspections.ts"
import { altered, first, isAltered, OTHER } from "./support/Lies.ts"
import { accountOf } from "./support/Parties.ts"
import { plannedWallet, planRecord } from "./support/PlanRecords.ts"
import {
  askedOf,
  compiledOf,
  GUARD,
  policy,
  sessionCapabilities,
  sessionClient,
  sessionManifest,
  sessionOf,
  WALLET
} from "./support/SessionRecords.ts"

const account = accountOf(first.address)
const session = sessionOf(account)
const client = sessionClient(account)
const HASH: Bytes32 = `0x${"77".repeat(32)}`

const check = (of: PublicSession, over: Partial<SessionToCheck> = {}) =>
  checkSession({ client, session: of, asked: askedOf(account), ...over })

describe("a session", () => {
  it("is taken where it is what was asked for, and all of it is computed to the same", async () => {
    await check(session)
    await check(session, { asked: undefined, sessionKey: sessionKey.address.toLowerCase() })
  })

  it("is taken by its own manifest, whichever others of its chain pin its guard", async () => {
    const other = changed({
      ...{ id: "other", pins: sessionManifest.pins, reviewed: { targets: [], assets: [] } }
    })
    const [deployment = assert.fail()] = sessionCapabilities.deployments
    const { id: manifestId, revision } = other
    const deployments = [{ ...deployment, manifestId, revision, manifest: other }, deployment]
    const told = { ...sessionCapabilities, deployments }
    await check(session, { client: { ...client, smartAccounts: { capabilities: async () => told } } })
  })

  const members = [
    ...["bindingId", "grantId", "generation", "nonce", "validAfter", "durationDays", "maximumCalls"],
    ...["wallet", "chainId", "sessionKey", "validUntil", "allocationManifestHash"],
    ...["gasBudget.paymasterDataLength", "gasBudget.maxGasPerOperation", "gasBudget.totalCostLimit"],
    ...["allocations", "allocations.0.total", "allocations.0.allocations.0.limit", "allocations.1.id"],
    ...["actions", "actions.0.beneficiary", "actions.0.minReturnedTokens", "actions.1.perCallLimit"],
    ...["actions.2.controller", "actions.0.terminal", "actions.0.projectId", "actions.0.allocationId"],
    ...["guard", "encodedPolicy", "policyHash", "permissionId", "compiledHash", "enableNonce"].map(
      name => `compiled.${name}`
    ),
    ...["expectedHistory", "baseline.epoch", "baseline.history", "policy.maximumCalls"].map(
      name => `compiled.${name}`
    ),
    ...["to", "data", "wallet", "chainId"].map(name => `revokeTransaction.${name}`)
  ]
  it.each(members)("is refused with another %s, asked for or not", async path => {
    const lie = altered(session, path)
    await isAltered(check(lie))
    if (path !== "grantId") await isAltered(check(lie, { asked: undefined }))
  })

  const [pay, transfer, uri] = policy.actions
  const policies: ReadonlyArray<readonly [string, Partial<SessionPolicy>]> = [
    ["more calls", { maximumCalls: 21 }],
    ["a month", { validUntil: policy.validAfter + 30 * 86_400 }],
    ["another key", { sessionKey: OTHER }],
    ["a paymaster", { gas: { ...policy.gas, paymaster: OTHER, paymasterCodeHash: HASH } }],
    ["more gas in all", { gas: { ...policy.gas, totalGas: "50000001" } }],
    ["a higher limit", { allocations: policy.allocations.map(each => ({ ...each, limit: "1000" })) }],
    ["one right less", { actions: policy.actions.slice(1) }],
    ["one right more", { actions: [...policy.actions, { ...policy.actions[0], target: OTHER }] } as never],
    ["no word fixed", { actions: [{ ...pay, rules: [] }, transfer, uri] } as never],
    ["another amount a call", { actions: [{ ...pay, perCall: "11" }, transfer, uri] } as never],
    ["code that nobody reviewed", { actions: [{ ...pay, codeHash: HASH }, transfer, uri] } as never]
  ]
  it.each(policies)("is refused with a policy of %s, every hash computed anew", async (_, change) => {
    await isAltered(check({ ...session, compiled: compiledOf({ ...policy, ...change }) }))
  })

  it("is refused for another bot, another account, or under a manifest that is not its own", async () => {
    await isAltered(check(session, { sessionKey: OTHER }))
    await isAltered(check(session, { client: { ...client, account: accountOf(OTHER) } }))
    const [deployment = assert.fail()] = sessionCapabilities.deployments
    for (const forged of [
      { ...sessionManifest, pins: { ...sessionManifest.pins, paymasters: [] } },
      { ...sessionManifest, reviewed: { targets: [], assets: [] } }
    ]) {
      const told = { ...sessionCapabilities, deployments: [{ ...deployment, manifest: forged }] }
      await isAltered(
        check(session, { client: { ...client, smartAccounts: { capabilities: async () => told } } })
      )
    }
  })
})

describe("the end of a session", () => {
  it("is taken whatever its policy is", async () => {
    await checkRevocable({ client, session: altered(session, "compiled.encodedPolicy") })
    await checkRevocable({ client, session: altered(session, "maximumCalls") })
  })

  it.each([
    ...["bindingId", "wallet", "chainId", "compiled.guard", "compiled.permissionId"],
    ...["to", "data", "wallet", "chainId"].map(name => `revokeTransaction.${name}`)
  ])("is refused with another %s", async path => {
    await isAltered(checkRevocable({ client, session: altered(session, path) }))
  })
})

const { encodedPolicy: encoded, enableNonce, permissionId } = session.compiled
const enabling = encodeAbiParameters([{ type: "uint64" }, { type: "bytes" }], [BigInt(enableNonce), encoded])

const plannedBy = ({ id, revision }: typeof sessionManifest) => ({
  ...plannedWallet(WALLET),
  ...{ bindingId: session.bindingId as Bytes32, manifestId: id, manifestRevision: revision }
})

const lifecyclePlan = (to: Plan["account"], data: Hex, over: Partial<Plan["calls"][number]> = {}): Plan => {
  const [call = assert.fail()] = planRecord().calls
  return planRecord({
    account: WALLET,
    smartAccount: plannedBy(sessionManifest),
    calls: [{ ...call, to, data, value: "0", ...over }]
  })
}

describe("the plan that enables or revokes a session", () => {
  const enable: Hex = `0x305c9c4c${enabling.slice(2)}`
  const revoke: Hex = `0xb75c7dc6${permissionId.slice(2)}`

  it("is taken where its one call does exactly that", async () => {
    await checkLifecyclePlan(client, session, lifecyclePlan(GUARD, enable), "activation")
    await checkLifecyclePlan(client, session, lifecyclePlan(GUARD, revoke), "revocation")
  })

  it("enables nothing at a guard that another manifest than its wallet's pins, and revokes it", async () => {
    const own = changed({ id: "other" })
    const [deployment = assert.fail()] = sessionCapabilities.deployments
    const { id: manifestId, revision } = own
    const deployments = [deployment, { ...deployment, manifestId, revision, manifest: own }]
    const told = { ...sessionCapabilities, deployments }
    const both = { ...client, smartAccounts: { capabilities: async () => told } }
    const smartAccount = plannedBy(own)
    const enabling = { ...lifecyclePlan(GUARD, enable), smartAccount }
    await isAltered(checkLifecyclePlan(both, session, enabling, "activation"))
    await checkLifecyclePlan(both, session, { ...lifecyclePlan(GUARD, revoke), smartAccount }, "revocation")
    const unknown = { ...smartAccount, manifestRevision: HASH }
    await isAltered(checkLifecyclePlan(both, session, { ...enabling, smartAccount: unknown }, "activation"))
  })

  it("is refused with any other call, or with others beside it", async () => {
    const plan = lifecyclePlan(GUARD, enable)
    const lies: ReadonlyArray<readonly [Plan, "activation" | "revocation"]> = [
      [plan, "revocation"],
      [lifecyclePlan(GUARD, revoke), "activation"],
      [lifecyclePlan(WALLET, enable), "activation"],
      [lifecyclePlan(OTHER, enable), "activation"],
      [lifecyclePlan(GUARD, `${enable}00`), "activation"],
      [lifecyclePlan(GUARD, enable, { value: "1" }), "activation"],
      [lifecyclePlan(GUARD, enable, { chainId: 1 }), "activation"],
      [{ ...plan, calls: [...plan.calls, ...plan.calls] }, "activation"],
      [{ ...plan, smartAccount: plannedWallet(WALLET) }, "activation"],
      [lifecyclePlan(GUARD, `0xb75c7dc6${"11".repeat(32)}`), "revocation"]
    ]
    for (const [lie, kind] of lies) await isAltered(checkLifecyclePlan(client, session, lie, kind))
  })
})
