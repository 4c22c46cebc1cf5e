import {
  type Address,
  type ContractFunctionName,
  encodeFunctionResult,
  getAbiItem,
  type Hex,
  parseAbi,
  parseEther,
  parseEventLogs,
  toFunctionSelector
} from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../sandbox/calls.ts"
import { launch, payNative, rulesetOf } from "./support/Launch.ts"
import { beneficiary, holder, owner, type Sandbox, startSandbox, stranger } from "./support/Sandbox.ts"
import { deployScripted, tell } from "./support/Scripted.ts"
import { NATIVE_CURRENCY } from "./support/Units.ts"

const structs = [
  "struct TokenAmount { address token; uint8 decimals; uint32 currency; uint256 value; }",
  "struct Specification { address hook; bool noop; uint256 amount; bytes metadata; }",
  "struct Ruleset { uint48 cycleNumber; uint48 id; uint48 basedOnId; uint48 start; uint32 duration; uint112 weight; uint32 weightCutPercent; address approvalHook; uint256 metadata; }",
  "struct BeforePay { address terminal; address payer; TokenAmount amount; uint256 projectId; uint256 rulesetId; address beneficiary; uint256 weight; uint256 reservedPercent; bytes metadata; }",
  "struct AfterPay { address payer; uint256 projectId; uint256 rulesetId; TokenAmount amount; TokenAmount forwardedAmount; uint256 weight; uint256 newlyIssuedTokenCount; address beneficiary; bytes hookMetadata; bytes payerMetadata; }",
  "struct BeforeCashOut { address terminal; address holder; uint256 projectId; uint256 rulesetId; uint256 cashOutCount; uint256 totalSupply; TokenAmount surplus; bool scopeCashOutsToLocalBalances; uint256 cashOutTaxRate; bool beneficiaryIsFeeless; bytes metadata; }",
  "struct AfterCashOut { address holder; uint256 projectId; uint256 rulesetId; uint256 cashOutCount; TokenAmount reclaimedAmount; TokenAmount forwardedAmount; uint256 cashOutTaxRate; address beneficiary; bytes hookMetadata; bytes cashOutMetadata; }"
] as const

const hookAbi = parseAbi([
  ...structs,
  "function beforePayRecordedWith(BeforePay context) view returns (uint256 weight, Specification[] hookSpecifications)",
  "function beforeCashOutRecordedWith(BeforeCashOut context) view returns (uint256 cashOutTaxRate, uint256 cashOutCount, uint256 totalSupply, uint256 effectiveSurplusValue, Specification[] hookSpecifications)",
  "function hasMintPermissionFor(uint256 projectId, Ruleset ruleset, address addr) view returns (bool flag)",
  "function afterPayRecordedWith(AfterPay context) payable",
  "function afterCashOutRecordedWith(AfterCashOut context) payable",
  "event HookAfterRecordPay(address indexed hook, AfterPay context, uint256 specificationAmount, address caller)",
  "event HookAfterRecordCashOut(address indexed hook, AfterCashOut context, uint256 specificationAmount, uint256 fee, address caller)"
])

type Name = ContractFunctionName<typeof hookAbi>

const selectorOf = (name: Name) => toFunctionSelector(getAbiItem({ abi: hookAbi, name }))

interface Specification {
  readonly hook: Address
  readonly noop: boolean
  readonly amount: bigint
  readonly metadata: Hex
}

describe("rulesets with a data hook", () => {
  let sandbox: Sandbox
  let hook: Address
  let projectId: bigint

  const answers = (name: Name, data: Hex) => tell(sandbox, hook, selectorOf(name), { data })

  const issues = (weight: bigint, specifications: ReadonlyArray<Specification>) =>
    answers(
      "beforePayRecordedWith",
      encodeFunctionResult({
        abi: hookAbi,
        functionName: "beforePayRecordedWith",
        result: [weight, specifications]
      })
    )

  const permits = (result: boolean) =>
    answers(
      "hasMintPermissionFor",
      encodeFunctionResult({ abi: hookAbi, functionName: "hasMintPermissionFor", result })
    )

  const specification = (amount: bigint, noop = false): Specification => ({
    hook,
    noop,
    amount,
    metadata: "0x0102"
  })

  beforeAll(async () => {
    sandbox = await startSandbox()
    hook = (await deployScripted(sandbox)).address
    await tell(sandbox, hook, selectorOf("afterPayRecordedWith"), {})
    await tell(sandbox, hook, selectorOf("afterCashOutRecordedWith"), {})
    const used = { useDataHookForPay: true, useDataHookForCashOut: true, dataHook: hook }
    projectId = await launch(sandbox, [rulesetOf({}, { ...used, baseCurrency: NATIVE_CURRENCY })])
  })
  afterAll(() => sandbox.stop())

  const preview = (value: bigint) =>
    sandbox.client.readContract({
      ...sandbox.contract("JBMultiTerminal"),
      functionName: "previewPayFor",
      args: [projectId, NATIVE_TOKEN, value, holder.address, "0x"]
    })

  const recorded = (of = projectId) =>
    sandbox.client.readContract({
      ...sandbox.contract("JBTerminalStore"),
      functionName: "balanceOf",
      args: [sandbox.at("JBMultiTerminal"), of, NATIVE_TOKEN]
    })

  const etherOf = (address: Address) => sandbox.client.getBalance({ address })

  const failure = (act: Promise<unknown>) => act.then(() => "", String)

  it("issue by the hook's weight and forward what it asks for to the hooks it names", async () => {
    const specifications = [specification(parseEther("0.3")), specification(0n, true)]
    await issues(parseEther("2000"), specifications)
    const [, issued, reserved, shown] = await preview(parseEther("1"))
    assert.deepStrictEqual([issued, reserved], [parseEther("2000"), 0n])
    assert.deepStrictEqual(
      shown.map(({ noop, amount }) => [noop, amount]),
      [
        [false, parseEther("0.3")],
        [true, 0n]
      ]
    )
    const { logs } = await payNative(sandbox, projectId, parseEther("1"), holder.address)
    const [called, another] = parseEventLogs({ abi: hookAbi, logs, eventName: "HookAfterRecordPay" })
    assert.isUndefined(another)
    assert.strictEqual(called?.args.specificationAmount, parseEther("0.3"))
    assert.deepInclude(called?.args.context, {
      payer: owner.address,
      projectId,
      newlyIssuedTokenCount: parseEther("2000"),
      beneficiary: holder.address,
      hookMetadata: "0x0102"
    })
    assert.strictEqual(called?.args.context.forwardedAmount.value, parseEther("0.3"))
    assert.deepStrictEqual([await recorded(), await etherOf(hook)], [parseEther("0.7"), parseEther("0.3")])
  })

  it("refuse to forward more than is paid, or anything to a hook that is not called", async () => {
    await issues(1n, [specification(7n), specification(4n)])
    assert.include(
      await failure(preview(10n)),
      toFunctionSelector("JBTerminalStore_InvalidAmountToForwardHook(uint256,uint256)")
    )
    await issues(1n, [specification(4n, true)])
    assert.include(
      await failure(preview(10n)),
      toFunctionSelector("JBTerminalStore_NoopHookSpecHasAmount(uint256)")
    )
  })

  it("cash out by the hook's terms and forward more of the balance, less the fee", async () => {
    const before = { held: await etherOf(hook), received: await etherOf(beneficiary.address) }
    const forwarded = specification(parseEther("0.1"))
    await answers(
      "beforeCashOutRecordedWith",
      encodeFunctionResult({
        abi: hookAbi,
        functionName: "beforeCashOutRecordedWith",
        result: [0n, 1n, 2n, parseEther("0.4"), [forwarded]]
      })
    )
    const feeBefore = await recorded(1n)
    const { logs } = await sandbox.mined(
      sandbox.client.writeContract({
        ...sandbox.contract("JBMultiTerminal"),
        account: holder,
        functionName: "cashOutTokensOf",
        args: [holder.address, projectId, parseEther("500"), NATIVE_TOKEN, 0n, beneficiary.address, "0x"]
      })
    )
    const [called] = parseEventLogs({ abi: hookAbi, logs, eventName: "HookAfterRecordCashOut" })
    assert.deepInclude(called?.args, {
      specificationAmount: parseEther("0.0975"),
      fee: parseEther("0.0025"),
      caller: holder.address
    })
    assert.strictEqual(called?.args.context.reclaimedAmount.value, parseEther("0.2"))
    assert.strictEqual((await etherOf(beneficiary.address)) - before.received, parseEther("0.2"))
    assert.strictEqual((await etherOf(hook)) - before.held, parseEther("0.0975"))
    assert.strictEqual(await recorded(), parseEther("0.4"))
    assert.strictEqual((await recorded(1n)) - feeBefore, parseEther("0.0025"))
  })

  it("let whom the hook permits mint, and nobody else", async () => {
    const mint = () =>
      sandbox.client.simulateContract({
        ...sandbox.contract("JBController"),
        account: stranger,
        functionName: "mintTokensOf",
        args: [projectId, 5n, stranger.address, "", false]
      })
    await permits(true)
    assert.strictEqual((await mint()).result, 5n)
    await permits(false)
    assert.include(await failure(mint()), "JBPermissioned_Unauthorized")
  })

  it("are as others where they name a hook and use it for nothing", async () => {
    const unused = await launch(sandbox, [rulesetOf({}, { dataHook: hook })])
    await payNative(sandbox, unused, parseEther("1"), holder.address)
    assert.strictEqual(await recorded(unused), parseEther("1"))
  })
})
