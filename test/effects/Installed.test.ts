import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { canonicalType } from "../../src/catalog/Abi.ts"
import { laterDeployment } from "../../src/catalog/LaterRollout.ts"
import { keccak256Utf8 } from "../../src/values/Keccak.ts"
import {
  BUYBACK,
  BUYBACK_REGISTRY,
  CONTROLLER,
  FORWARDER,
  HOOK_DEPLOYER,
  LOANS,
  PERMISSIONS,
  PREPAID_PAYMENTS,
  PROJECTS,
  REVNET_DEPLOYER,
  REVNET_OWNER,
  ROUTER_REGISTRY,
  RULESETS,
  SESSION_GUARD,
  SUCKER,
  SUCKER_REGISTRY,
  TERMINAL,
  TIERS_HOOK,
  TOKEN,
  WALLET_ADAPTER
} from "./support/ContractIds.ts"
import { predicates } from "./support/Installed.ts"
import { abiOf, catalog, topicOf } from "./support/Receipts.ts"
import { scenarios } from "./support/Scenarios.ts"

const abisOf = (contractId: string) => [
  ...new Set(
    catalog.chains.flatMap(chainId => catalog.deployments(chainId, contractId)).map(row => row.abiHash)
  )
]

describe("installed predicates", () => {
  it.each(predicates)(
    "$name is for a function that every deployment of its contract has",
    ({ contractId, signature }) => {
      const hashes = abisOf(contractId)
      assert.isNotEmpty(hashes)
      for (const hash of hashes) {
        const functions = Effect.runSync(catalog.functions(hash))
        assert.isTrue(functions.has(signature))
      }
    }
  )

  it.each(predicates.filter(({ kin }) => kin.length > 0))(
    "$name is for a function that the kin of its contract declares too",
    ({ kin, signature }) => {
      for (const contractId of kin) {
        const { abiHash } = Effect.runSync(catalog.declaration(contractId))
        assert.isTrue(Effect.runSync(catalog.functions(abiHash ?? "")).has(signature), contractId)
      }
    }
  )

  it.each(predicates)("$name names witnesses that are deployed", ({ witnesses }) => {
    for (const witness of witnesses)
      if (laterDeployment(1, witness) === undefined) assert.isNotEmpty(abisOf(witness), witness)
  })

  it("have one name and one call each", () => {
    const names = new Set(predicates.map(({ name }) => name))
    const all = predicates.flatMap(({ contractId, kin, signature }) =>
      [contractId, ...kin].map(id => `${id} ${signature}`)
    )
    assert.deepStrictEqual([names.size, new Set(all).size], [predicates.length, all.length])
  })

  it("all have a receipt that they verify", () => {
    assert.sameMembers(
      [...new Set(scenarios.map(({ verifier }) => verifier))],
      predicates.map(({ name }) => name)
    )
  })
})

/** As the protocol publishes them. */
const TOPICS: ReadonlyArray<readonly [string, string, string]> = [
  [TERMINAL, "Pay", "0x133161f1c9161488f777ab9a26aae91d47c0d9a3fafb398960f138db02c73797"],
  [TERMINAL, "AddToBalance", "0x9ecaf7fc3dfffd6867c175d6e684b1f1e3aef019398ba8db2c1ffab4a09db253"],
  [TERMINAL, "CashOutTokens", "0xfaf1d4bf1b08470c7ed8c351c5065f51af70b36b237723173f898453b9724142"],
  [TERMINAL, "SendPayouts", "0xda42c5c18ef97738d10c32811895add569670a6fcbe9627ea198d446f3be6dea"],
  [TERMINAL, "UseAllowance", "0xd836655d29bc0376acd403e1e5a574fc237f820c4717dd006e0c087dfafda56c"],
  [TERMINAL, "PayoutTransferReverted", "0xb10fe0662ad844408d7cca62384b7691f2f9bf6bd6d73f9d7192bd758d4142ae"],
  [TERMINAL, "FeeReverted", "0x4b73f3c5cfb174c9d0494138d07ff8ee3aa400df46327d9893ed5ac122dd558a"],
  [TERMINAL, "HoldFee", "0xef9cd8fc3b61b64b44042ada0a8a3ede1649bc1b112673da228120f13bf1381e"],
  [TERMINAL, "PayoutReverted", "0xe1dc2e46221329e3b79397625c100336d78d12de8fbbeefcc76c350ba44a89b3"],
  [TERMINAL, "SendPayoutToSplit", "0x946c70c84d6886ad6041aecbcdd3c9afb80133d1ba92011a9f54dbc173e6d8a7"],
  [CONTROLLER, "QueueRulesets", "0x24d02d612b06648bfa2000859f3de7e6f336139eaf5877c24b0d213206252862"],
  [CONTROLLER, "LaunchProject", "0x8dac501f24f52bda9ebdfa6a1789878c1d1e23823c771f7d52b5ba41261b0f45"],
  [CONTROLLER, "BurnTokens", "0xdf04e13ee4fcd48a81ab2fd114757093740a3efa9b6475d86e05878b4c59d079"],
  [PROJECTS, "Create", "0x365b3162cd780731fc55a794b59494d472bc2af701007f581843a70673814698"],
  [RULESETS, "RulesetQueued", "0x11a490bebff1beffe4bdd210894aca6ea5049427ce4b3c48865717677199cb07"],
  [
    PERMISSIONS,
    "OperatorPermissionsSet",
    "0x5324a861114a736770617a7dad3321b8417dc39698b30adfade6d0367b2e5d59"
  ],
  [TOKEN, "Approval", "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925"],
  [BUYBACK, "CashOutSwap", "0xbda038b4536720f0edb8da72fb3f9779994198517ff2acfe51d419e07feb0379"],
  [BUYBACK, "SellSwapReverted", "0x8df6e3a86b047621038c6b98aa897b8dd0a6ce91b348704f248b7bbf0e32b214"],
  [BUYBACK, "PoolAdded", "0x8b6c6e3acbbb079495759cfeb1dbf99774b60962f29ff5d8299cbf1dc49f9b14"],
  [BUYBACK, "TwapWindowChanged", "0xac260005f5a1d1cb696ab1065059083a3769fa09f4b4699f1dafd670d071a921"],
  [
    BUYBACK_REGISTRY,
    "JBBuybackHookRegistry_SetHook",
    "0x230b36e3129477317328684b18102c7f52447dd0f73c163c1e0993d43f504bb5"
  ],
  [
    ROUTER_REGISTRY,
    "JBRouterTerminalRegistry_SetTerminal",
    "0xaafd08517185362032409130d3ca4a9fc5b0f259dc591f258d4526471ca6559f"
  ],
  [TOKEN, "Transfer", "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"],
  [LOANS, "Borrow", "0x5e168ce129aacf6ac309399a2972d092f92bfacfdf7b29bb9925b1b3907e808d"],
  [LOANS, "RepayLoan", "0xedb8051db9cec469f372f7885c120cda7fd17e705ba874d1b7ef096592e36903"],
  [LOANS, "Transfer", "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"],
  [REVNET_OWNER, "AutoIssue", "0x0ad8046f3d571312df6d1867ac30c26e100f5684a9d7c2d3340c4e2a5b56360f"],
  [REVNET_OWNER, "InitializeRevnet", "0x81292c4d4e88fb7943bb880206d4a261fc961134c0a553ce9fd52db18ffe606e"],
  [REVNET_DEPLOYER, "DeployRevnet", "0xb9a95983be1f2c4cbad2f5a32c4606b35d2a6ac166a79dbcdf955a30061314f8"],
  [PROJECTS, "Transfer", "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"],
  [CONTROLLER, "MintTokens", "0xe6fee9c572244c0c2238c3112ac12d411750a7ee00eeebd32521c3e5a666c14b"],
  [
    SUCKER_REGISTRY,
    "SuckerDeployedFor",
    "0x4d33ed88848a039f44d3828ced48c3992796e9af4f90e48c5ff6f3d0ca1f4e21"
  ],
  [HOOK_DEPLOYER, "HookDeployed", "0xd76d022c77a474d529a79581eb88a726ad929fd23efbcb6a1f852d2d936299a5"],
  [TIERS_HOOK, "Mint", "0x598baf7bf150ca2f42be9e9f8f55e81d45f5715c3ff22bf46d697fabec7f31d6"],
  [TIERS_HOOK, "Transfer", "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"],
  [TIERS_HOOK, "AddTier", "0x69a4ea1744cea8816339fc8993142d1fdad6432f24f361f65d34dd642aa46b9f"],
  [TIERS_HOOK, "RemoveTier", "0x832d89d991be5351d793c20faf4b7dd44f8aa9ce39e3cb160c6317de6fbba729"],
  [CONTROLLER, "LaunchRulesets", "0x8c9d461b22fb3063f8aebc64fc6ca08d8e98aebee1bb8fe17c57dcd091bd90a2"],
  [SUCKER, "Claimed", "0xa8d6760b4e1a89f513fc87990f66d051c419d735fb8191104014e0529d9ae2d3"],
  [SUCKER, "ClaimFailed", "0xc1054f794d197971822697afa7ff4777cac6fb7a512e4bfec63aebaab98187b6"],
  [SUCKER, "AccountingDataSynced", "0x77bd1556265e71d247f11bb5886efda7fd5e5b21e6a4d2c871e8e6b49ac92f3d"],
  [FORWARDER, "ExecutedForwardRequest", "0x842fb24a83793558587a3dab2be7674da4a51d09c5542d6dd354e5d0ea70813c"],
  [PREPAID_PAYMENTS, "Prepayment", "0xb96b060a9c075a83da0cf1f9405deeb5df21df681a762de16c3d5eaf99531cd8"],
  [SESSION_GUARD, "SessionEnabled", "0x7a43b328071e3ab5a188f3de39f4c4c6baa2bb18d2a84a356864f73eabd016a5"],
  [SESSION_GUARD, "SessionRevoked", "0x9ddb1c9a4e04c1c496226ec835dbaebf7e0a2a5e9594d97853ef279cad75f4bd"],
  [WALLET_ADAPTER, "ModuleInstalled", "0xd21d0b289f126c4b473ea641963e766833c2f13866e4ff480abd787c100ef123"]
]

/** Its buyback hook never sells. */
const NEVER_IN_THE_SANDBOX = ["CashOutSwap", "SellSwapReverted"]

interface Artifact {
  readonly abi: ReadonlyArray<{
    readonly type: string
    readonly name?: string
    readonly inputs?: Parameters<typeof canonicalType>[0][]
  }>
}

const sandboxTopics = (contractId: string): ReadonlyArray<string> => {
  const name = contractId.split(":").at(-1)
  const file = new URL(`../../sandbox/artifacts/${name}.json`, import.meta.url)
  const { abi }: Artifact = JSON.parse(readFileSync(file, "utf8"))
  return abi
    .filter(({ type }) => type === "event")
    .map(({ name: event, inputs = [] }) => keccak256Utf8(`${event}(${inputs.map(canonicalType).join(",")})`))
}

describe("events", () => {
  it.each(TOPICS)(
    "%s %s is one in every deployment, with the published topic",
    (contractId, event, topic) => {
      for (const hash of abisOf(contractId)) assert.strictEqual(topicOf(abiOf(hash), event), topic)
    }
  )

  it.each(TOPICS.filter(([id, event]) => id !== WALLET_ADAPTER && !NEVER_IN_THE_SANDBOX.includes(event)))(
    "%s emits %s in the sandbox too",
    (contractId, _, topic) => {
      assert.include(sandboxTopics(contractId), topic)
    }
  )

  it("of every scenario are among them", () => {
    const known = new Set(TOPICS.map(([contractId, event]) => `${contractId} ${event}`))
    const used = scenarios.flatMap(({ emissions }) => emissions)
    const missing = used.filter(({ contractId, event }) => !known.has(`${contractId} ${event}`))
    assert.deepStrictEqual(missing, [])
  })
})
