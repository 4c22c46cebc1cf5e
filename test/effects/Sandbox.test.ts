import { type LocalAccount, parseEther } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import type { Receipt } from "../../src/chain/ChainClient.ts"
import type { Call } from "../../src/plans/Plan.ts"
import { launch, nativeLimits, payNative, rulesetOf, splitOf } from "../sandbox/support/Launch.ts"
import { beneficiary, holder, owner, stranger } from "../sandbox/support/Sandbox.ts"
import { NATIVE_CURRENCY, SPLITS_TOTAL } from "../sandbox/support/Units.ts"
import { CONTROLLER, PERMISSIONS, TERMINAL, TOKEN } from "./support/ContractIds.ts"
import { callOf, forwardedBy, judgedOn, type Planned, sent, startLive } from "./support/Live.ts"
import { NATIVE } from "./support/Receipts.ts"

const DEMO = 2n
const ETHER = parseEther("1")
const TOKENS = parseEther("100")

const live = await startLive()

afterAll(() => live.stop())

const terminal = (name: string, args: ReadonlyArray<unknown>, value = 0n): Planned => ({
  contractId: TERMINAL,
  function: name,
  args,
  value
})

const payment = (value = ETHER) =>
  terminal("pay", [DEMO, NATIVE, 0n, beneficiary.address, 1n, "grüße", "0x1234"], value)

const payouts = (projectId: bigint, amount: bigint, least: bigint) =>
  terminal("sendPayoutsOf", [projectId, NATIVE, amount, NATIVE_CURRENCY, least])

const configurations = () => [
  rulesetOf(
    {
      duration: 604_800,
      weightCutPercent: 7,
      splitGroups: [{ groupId: 1n, splits: [splitOf({ beneficiary: holder.address })] }],
      fundAccessLimitGroups: [nativeLimits(live.sandbox, ETHER, 5n)]
    },
    { reservedPercent: 1234, cashOutTaxRate: 5678, pausePay: true, holdFees: true, metadata: 77 }
  ),
  rulesetOf({ mustStartAtOrAfter: 4_000_000_000, weight: 1n }, { allowSetTerminals: true })
]

interface Case {
  readonly name: string
  readonly verifier: string
  readonly account: LocalAccount
  readonly planned: () => Planned
  readonly events: Array<string>
}

const project = (name: string, args: ReadonlyArray<unknown>): Planned => ({
  contractId: CONTROLLER,
  function: name,
  args
})

const cases: ReadonlyArray<Case> = [
  {
    name: "a payment",
    verifier: "pay",
    account: holder,
    planned: () => payment(),
    events: ["Pay"]
  },
  {
    name: "money added to a balance",
    verifier: "add_to_balance",
    account: stranger,
    planned: () => terminal("addToBalanceOf", [DEMO, NATIVE, 0n, true, "more", "0x01"], ETHER),
    events: ["AddToBalance"]
  },
  {
    name: "a taxed cash-out",
    verifier: "cash_out",
    account: holder,
    planned: () =>
      terminal("cashOutTokensOf", [holder.address, DEMO, TOKENS, NATIVE, 1n, stranger.address, "0x"]),
    events: ["CashOutTokens", "BurnTokens"]
  },
  {
    name: "payouts to wallets, a project and the owner",
    verifier: "send_payouts",
    account: stranger,
    planned: () => payouts(DEMO, ETHER, ETHER),
    events: ["SendPayouts", "SendPayoutToSplit", "SendPayoutToSplit"]
  },
  {
    name: "a draw on the surplus allowance",
    verifier: "use_allowance",
    account: owner,
    planned: () =>
      terminal("useAllowanceOf", [
        DEMO,
        NATIVE,
        ETHER / 2n,
        NATIVE_CURRENCY,
        1n,
        beneficiary.address,
        owner.address,
        "for tools"
      ]),
    events: ["UseAllowance"]
  },
  {
    name: "queued rulesets",
    verifier: "queue_rulesets",
    account: owner,
    planned: () => project("queueRulesetsOf", [DEMO, configurations(), "next"]),
    events: ["QueueRulesets", "RulesetQueued", "RulesetQueued"]
  },
  {
    name: "a launched project",
    verifier: "launch_project",
    account: stranger,
    planned: () =>
      project("launchProjectFor", [holder.address, "ipfs://project", configurations(), [], "hello"]),
    events: ["Create", "LaunchProject"]
  },
  {
    name: "permissions",
    verifier: "set_permissions",
    account: owner,
    planned: () => ({
      contractId: PERMISSIONS,
      function: "setPermissionsFor",
      args: [owner.address, { operator: holder.address, projectId: DEMO, permissionIds: [2, 5, 18] }]
    }),
    events: ["OperatorPermissionsSet"]
  },
  {
    name: "an allowance",
    verifier: "approve",
    account: holder,
    planned: () => ({
      contractId: TOKEN,
      function: "approve",
      args: [live.sandbox.at("JBMultiTerminal"), TOKENS],
      to: live.sandbox.manifest.seeded.token
    }),
    events: ["Approval"]
  }
]

const done: Array<{ readonly call: Call; readonly account: LocalAccount; readonly receipt: Receipt }> = []

describe("on a chain", () => {
  it.each(cases)("$name is verified by its receipt", async ({ account, planned, verifier, events }) => {
    const call = callOf(live, planned())
    const receipt = await sent(live, account, call)
    const semantic = judgedOn(live, account.address, call, receipt)
    assert.deepInclude(semantic, { status: "verified", verifier })
    assert.deepStrictEqual(
      (semantic.events ?? []).map(
        found => Object.entries(Object(found)).find(([key]) => key === "event")?.[1]
      ),
      events
    )
    done.push({ call, account, receipt })
  })

  it("no receipt proves another call, nor the same call of another wallet", () => {
    assert.strictEqual(done.length, cases.length)
    for (const one of done)
      for (const other of done) {
        if (one !== other)
          assert.strictEqual(judgedOn(live, one.account.address, one.call, other.receipt).status, "unknown")
        else
          assert.notStrictEqual(
            judgedOn(live, live.sandbox.at("JBTokens"), one.call, one.receipt).status,
            "verified"
          )
      }
  })

  it("a payment and a top-up in a token are verified at the amount that arrived", async () => {
    const token = live.sandbox.manifest.seeded.token
    const projectId = await launch(
      live.sandbox,
      [rulesetOf({}, { baseCurrency: Number(BigInt(token) & 0xffffffffn) })],
      token
    )
    await sent(live, holder, callOf(live, cases.at(-1)?.planned() ?? assert.fail("no approval")))
    const calls = [
      terminal("pay", [projectId, token, TOKENS / 2n, stranger.address, 0n, "", "0x"]),
      terminal("addToBalanceOf", [projectId, token, TOKENS / 2n, false, "", "0x"])
    ].map(planned => callOf(live, planned))
    for (const call of calls)
      assert.strictEqual(
        judgedOn(live, holder.address, call, await sent(live, holder, call)).status,
        "verified"
      )
  })

  it("payouts of which one came back are in doubt", async () => {
    const split = { beneficiary: owner.address, percent: SPLITS_TOTAL / 2 }
    const splits = [splitOf(split), splitOf({ ...split, projectId: 999n })]
    const projectId = await launch(live.sandbox, [
      rulesetOf({
        splitGroups: [{ groupId: BigInt(NATIVE), splits }],
        fundAccessLimitGroups: [nativeLimits(live.sandbox, ETHER, 0n)]
      })
    ])
    await payNative(live.sandbox, projectId, ETHER, holder.address)
    const call = callOf(live, payouts(projectId, ETHER, 0n))
    const { status, reason } = judgedOn(live, stranger.address, call, await sent(live, stranger, call))
    assert.deepStrictEqual([status, reason], ["unknown", "a payout came back to the project"])
    const nothing = await sent(live, stranger, call)
    assert.strictEqual(
      judgedOn(live, stranger.address, call, nothing).reason,
      "no SendPayouts event is about this call"
    )
  })

  it("a call that differs from the executed one in a single argument is in doubt", async () => {
    const receipt = done[0]?.receipt ?? assert.fail("no payment")
    const others = [
      terminal("pay", [DEMO, NATIVE, 0n, holder.address, 1n, "grüße", "0x1234"], ETHER),
      terminal("pay", [DEMO, NATIVE, 0n, beneficiary.address, 1n, "grüße!", "0x1234"], ETHER),
      terminal("pay", [DEMO, NATIVE, 0n, beneficiary.address, 1n, "grüße", "0x"], ETHER),
      payment(ETHER + 1n)
    ]
    for (const planned of others)
      assert.strictEqual(judgedOn(live, holder.address, callOf(live, planned), receipt).status, "unknown")
  })
})

describe("through the forwarder", () => {
  it("a payment is verified by the terminal's and the forwarder's word", async () => {
    const call = callOf(live, payment())
    const receipt = await forwardedBy(live, stranger, holder, call, 0n)
    const judge = (nonce: string) =>
      judgedOn(live, holder.address, call, receipt, { forwarded: { nonce } }).status
    assert.strictEqual(judge("0"), "verified")
    assert.strictEqual(judge("1"), "unknown")
  })

  it("a payment failed although the forwarder's transaction succeeded", async () => {
    const call = callOf(
      live,
      terminal("pay", [DEMO, NATIVE, 0n, holder.address, parseEther("9999"), "", "0x"], 1n)
    )
    const receipt = await forwardedBy(live, stranger, holder, call, 1n)
    assert.strictEqual(receipt.status, "success")
    assert.strictEqual(
      judgedOn(live, holder.address, call, receipt, { forwarded: { nonce: "1" } }).status,
      "failed"
    )
    assert.strictEqual(judgedOn(live, holder.address, call, receipt).status, "unknown")
  })

  it("an allowance is not the wallet's", async () => {
    const call = callOf(live, cases.at(-1)?.planned() ?? assert.fail("no approval"))
    const receipt = await forwardedBy(live, stranger, holder, call, 2n)
    assert.strictEqual(
      judgedOn(live, holder.address, call, receipt, { forwarded: { nonce: "2" } }).status,
      "unknown"
    )
  })
})
