/** Plans by which a wallet's owners enable a session or revoke it: what the key may do is read from the bytes. */
import { assert, describe, it } from "vitest"
import { tokenKey } from "../../src/review/Amounts.ts"
import { enabledBy } from "../../src/review/EnabledPolicy.ts"
import { contractsOf } from "../../src/review/GatherFacts.ts"
import { sentence } from "../../src/review/Words.ts"
import { installationData } from "../../src/sessions/Enabling.ts"
import { encodePolicy } from "../../src/sessions/Policy.ts"
import type { SessionPolicy } from "../../src/sessions/PolicyShape.ts"
import { plannedWallet } from "../client/support/PlanRecords.ts"
import { PAYEE, policyFor, sessionKey } from "../sessions/support/Policies.ts"
import {
  callOf,
  contract,
  type Described,
  linesOf,
  OTHER,
  planOf,
  reviewOf,
  TERMINAL,
  WALLET
} from "./support/Reviews.ts"

const ENABLE = "function enable(uint64 expectedEnableNonce, bytes encoded)"
const REVOKE = "function revoke(bytes32 permissionId)"
const INSTALL = "function installModule(uint256 moduleTypeId, address module, bytes initData)"

const GUARD_ID = "signed-request-service:sandbox/contracts/SessionGuard.sol:SessionGuard"
const ADAPTER_ID = "@rhinestone/modulekit:src/deployment/precompiles/Safe7579Precompiles.sol:Safe7579"

const guard = contract("SessionGuard", [ENABLE], { id: GUARD_ID })
const revoking = contract("SessionGuard", [REVOKE], { id: GUARD_ID })
const adapter = contract("Safe7579", [INSTALL], { id: ADAPTER_ID, deployments: [] })

const CODE = `0x${"ee".repeat(32)}` as const
const policy = policyFor(OTHER, CODE, 1_790_000_030)
const encoded = encodePolicy(policy)

const smartAccount = plannedWallet(WALLET)

const tokens = new Map([[tokenKey(31_337, OTHER), { symbol: "USD", decimals: 1 }]])

const reviewed = async (described: Described, call: ReturnType<typeof callOf>) =>
  reviewOf(await planOf([call], { smartAccount }), described, {
    others: described === adapter ? [guard] : [],
    enabledBy,
    tokens
  })

const enabling = (bytes = encoded) => callOf(guard, [3n, bytes], ["3", bytes])

const installing = (
  args: readonly [bigint, string, `0x${string}`] = [
    1n,
    TERMINAL,
    installationData({ expectedEnableNonce: 3n, encoded })
  ],
  to: string = WALLET
) => callOf(adapter, args, [String(args[0]), args[1], args[2]], { to: `0x${to.slice(2)}` })

it("is a danger where nobody reads what is enabled", async () => {
  const { dangers } = await reviewOf(await planOf([enabling()], { smartAccount }), guard, { tokens })
  assert.include(dangers.join(), "what it enables was not read")
})

const dangersOf = async (described: Described, call: ReturnType<typeof callOf>) =>
  (await reviewed(described, call)).dangers

describe("enabling a session", () => {
  it("is told in one sentence, with what lets whom do how much for how long", async () => {
    const { sentence: said, dangers } = await reviewed(guard, enabling())
    assert.deepEqual(dangers, [])
    assert.equal(
      sentence(said),
      `The wallet ${WALLET} will let the key ${sessionKey.address} act for it within a policy of 1 right, by 100 calls at most, from 2026-09-21T14:13:20Z until 2026-09-28T14:13:20Z.`
    )
  })

  it("has a row for each right and each limit, in units where the token is known", async () => {
    const { calls } = await reviewed(guard, enabling())
    const lines = linesOf(calls[0]?.rows ?? [])
    assert.include(
      lines,
      `right: It may send to ${PAYEE.replace("b0", "B0")}, and to nobody else, at most 4 USD a call and 10 USD in all (the token ${OTHER}), counted in the allocation ${policy.allocations[0]?.id}.`
    )
    assert.isTrue(lines.some(line => line.startsWith("gas: One operation may use 2,000,000 gas at most")))
    assert.include(lines, "payer: The wallet itself pays for gas.")
  })

  it("marks a right that nothing explains", async () => {
    const [action = assert.fail()] = policy.actions
    const strange: SessionPolicy = { ...policy, actions: [{ ...action, selector: "0x01020304" }] }
    const { calls } = await reviewed(guard, enabling(encodePolicy(strange)))
    const right = calls[0]?.rows.find(({ name }) => name === "right")
    assert.equal(right?.tone, "warning")
    assert.match(sentence(right?.value ?? []), /no right that is known here says what that does/)
  })

  it("of bytes that are no policy is a danger", async () => {
    assert.deepEqual(await dangersOf(guard, enabling("0x1234")), [
      "step 0: the bytes that it enables are no policy of a session"
    ])
  })
})

/** What a session's key may be let pay or administer by. */
const ADMINISTERED = [
  "@bananapus/core-v6:src/JBMultiTerminal.sol:JBMultiTerminal",
  "@bananapus/core-v6:src/JBController.sol:JBController",
  "@bananapus/router-terminal-v6:src/JBRouterTerminal.sol:JBRouterTerminal",
  "@bananapus/router-terminal-v6:src/JBRouterTerminalRegistry.sol:JBRouterTerminalRegistry"
]

describe("a right to change a project's metadata", () => {
  const fixed = (offset: number, value: string) => ({
    condition: 0,
    offset,
    word: `0x${value.padStart(64, "0")}` as const
  })
  const setting = (target: SessionPolicy["actions"][number]["target"]): SessionPolicy => {
    const [action = assert.fail()] = policy.actions
    const unlimited = { allocation: 255, perCall: "0", total: "0" }
    const shape = { selector: "0x702a3977", minimumLength: 100, maximumLength: 2_148 } as const
    const rules = [fixed(0, "7"), fixed(32, "40")]
    return { ...policy, actions: [{ ...action, ...unlimited, ...shape, target, rules }] }
  }
  const toneAt = async (target: typeof TERMINAL | typeof OTHER, others: ReadonlyArray<Described>) => {
    const plan = await planOf([enabling(encodePolicy(setting(target)))], { smartAccount })
    const { calls } = await reviewOf(plan, guard, { others, enabledBy, tokens })
    return calls[0]?.rows.find(({ name }) => name === "right")?.tone
  }

  it.each(ADMINISTERED)("is in doubt elsewhere alone than where the catalog has %s", async id => {
    const administered = contract(id.split(":").at(-1) ?? id, [REVOKE], { id })
    assert.equal(await toneAt(TERMINAL, [administered]), "key")
    assert.equal(await toneAt(OTHER, [administered]), "warning")
  })

  it("is not in doubt for what the catalog was not asked for", async () => {
    assert.equal(await toneAt(OTHER, []), "key")
  })

  it("has the catalog asked for what it may be had by", async () => {
    const asked: Array<string> = []
    const answering = async (id: string) => {
      asked.push(id)
      return guard.detail
    }
    await contractsOf({ contract: answering }, { calls: [enabling()] })
    assert.includeMembers(asked, ADMINISTERED)
  })
})

describe("installing the guard with a session", () => {
  it("is told as a function of the wallet's own, with the same rights", async () => {
    const { sentence: said, dangers, calls } = await reviewed(adapter, installing())
    assert.deepEqual(dangers, [])
    assert.match(
      sentence(said),
      new RegExp(
        `^The wallet ${WALLET} will get the guard ${TERMINAL} and let the key ${sessionKey.address} act for it`
      )
    )
    const lines = linesOf(calls[0]?.rows ?? [])
    assert.include(lines, `to: ${WALLET}, the wallet itself`)
    assert.isTrue(lines.some(line => line.startsWith("right: It may send to ")))
  })

  it("of another module, of another kind, elsewhere or of no policy is a danger", async () => {
    const data = installationData({ expectedEnableNonce: 3n, encoded })
    const unknown = ["step 0: the wallet would get a module that is no guard which is known here"]
    assert.deepEqual(await dangersOf(adapter, installing([1n, OTHER, data])), unknown)
    assert.deepEqual(await dangersOf(adapter, installing([2n, TERMINAL, data])), unknown)
    assert.deepEqual(await dangersOf(adapter, installing([1n, TERMINAL, data], OTHER)), [
      "step 0: the function is one of a wallet's own, and the address is not the planned wallet"
    ])
    assert.deepEqual(await dangersOf(adapter, installing([1n, TERMINAL, "0x12"])), [
      "step 0: the bytes that it enables are no policy of a session"
    ])
  })
})

it("revoking a session is told with the permission that ends", async () => {
  const permissionId = `0x${"ab".repeat(32)}`
  const { sentence: said, dangers } = await reviewed(
    revoking,
    callOf(revoking, [permissionId], [permissionId])
  )
  assert.deepEqual(dangers, [])
  assert.equal(
    sentence(said),
    `The wallet ${WALLET} will end for good what a session's key may do for it, by its permission ${permissionId}.`
  )
})
