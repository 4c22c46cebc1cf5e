import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { AbiCoder, id } from "ethers"
import { at, CLONE, PROJECT, TIERS_HOOK, World, worldOf } from "./support/Clones.ts"
import {
  CONTROLLER,
  DIRECTORY,
  pinnedCatalog,
  published,
  read,
  resolve,
  TERMINAL,
  TOKEN,
  TOKENS
} from "./support/Protocol.ts"
import { noTraffic, type Script } from "./support/ScriptedChain.ts"

const coder = AbiCoder.defaultAbiCoder()
const ZERO = `0x${"00".repeat(20)}`
const STRANGER = `0x${"77".repeat(20)}`

const asked = (signature: string, projectId: bigint) =>
  `${id(signature).slice(0, 10)}${coder.encode(["uint256"], [projectId]).slice(2)}`

const REVNETS = "@rev-net/core-v6:src"
const REVDEPLOYER = `${REVNETS}/REVDeployer.sol:REVDeployer`
const REVOWNER = `${REVNETS}/REVOwner.sol:REVOwner`
const REVLOANS = `${REVNETS}/REVLoans.sol:REVLoans`
const OMNICHAIN = "@bananapus/omnichain-deployers-v6:src/JBOmnichainDeployer.sol:JBOmnichainDeployer"
const ROUTER_REGISTRY =
  "@bananapus/router-terminal-v6:src/JBRouterTerminalRegistry.sol:JBRouterTerminalRegistry"
const PAYER = "@bananapus/project-payer-v6:src/JBProjectPayer.sol:JBProjectPayer"
const PROJECTS = "@bananapus/core-v6:src/JBProjects.sol:JBProjects"
const RULESET = 3n

const RULESET_TYPES =
  "tuple(uint48,uint48,uint48,uint48,uint32,uint112,uint32,address,uint256)|tuple(uint16,uint16,uint32,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,address,uint16)"

/** Project 7 with a tiers hook that its factory proves, under a ruleset with this data hook. */
const rulesetWorld = Effect.fn("rulesetWorld")(function* (dataHook: string) {
  const world = yield* worldOf(TIERS_HOOK)
  const flags = Array.from({ length: 14 }, () => false)
  return world.answer(yield* at(CONTROLLER), "currentRulesetOf(uint256)", [PROJECT], RULESET_TYPES, [
    [1, RULESET, 0, 0, 0, 0, 0, ZERO, 0],
    [0, 0, 0, ...flags, dataHook, 0]
  ])
})

const ofHook = (query: { readonly address?: string }) => ({
  contractId: TIERS_HOOK,
  projectId: String(PROJECT),
  ...query
})

const revnetWorld = Effect.fn("revnetWorld")(function* () {
  const [deployer, owner, loans] = [yield* at(REVDEPLOYER), yield* at(REVOWNER), yield* at(REVLOANS)]
  const hash = `0x${"12".repeat(32)}`
  return new World()
    .code(deployer, "0x6001")
    .code(owner, "0x6001")
    .code(loans, "0x6001")
    .answer(deployer, "hashedEncodedConfigurationOf(uint256)", [PROJECT], "bytes32", hash, "configuration")
    .answer(yield* at(PROJECTS), "ownerOf(uint256)", [PROJECT], "address", owner, "owner")
    .answer(deployer, "LOANS()", [], "address", loans, "loans")
    .answer(owner, "LOANS()", [], "address", loans, "loans")
})

/** A chain where every address has code and one anchor answers for project 5. */
const answering = (anchor: string, signature: string, type: string, value: unknown): Script => ({
  codes: new Proxy({}, { get: () => "0x6001" }),
  calls: (to, data) =>
    to === anchor && data === asked(signature, 5n)
      ? { result: coder.encode([type], [value]) }
      : { error: { code: 3, data: "0x" } }
})

describe("project associations", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("find the controller that the directory names, at the same block", () =>
      Effect.gen(function* () {
        const controller = yield* published(CONTROLLER)
        const directory = yield* published(DIRECTORY)
        const traffic = noTraffic()
        const script = answering(directory.address, "controllerOf(uint256)", "address", controller.address)
        const { address, provenance } = yield* resolve({ projectId: "5" }, { script, traffic })
        assert.strictEqual(address, controller.address)
        assert.deepStrictEqual(provenance.projectContext, {
          projectId: "5",
          association: "JBDirectory.controllerOf(uint256)",
          anchor: directory.address
        })
        const blocks = traffic.batches.flat().map(({ params }) => params[1])
        assert.deepStrictEqual(blocks, [blocks[0], blocks[0]])
        assert.deepInclude(blocks[0], { requireCanonical: true })
      })
    )

    it.effect("confirm a given address in the same round trip as its code and the call", () =>
      Effect.gen(function* () {
        const controller = yield* published(CONTROLLER)
        const directory = yield* published(DIRECTORY)
        const traffic = noTraffic()
        const named = answering(directory.address, "controllerOf(uint256)", "address", controller.address)
        const script: Script = {
          ...named,
          calls: (to, data) =>
            to === controller.address
              ? { result: coder.encode(["address"], [STRANGER]) }
              : (named.calls?.(to, data) ?? { result: "0x" })
        }
        yield* read({ projectId: "5", address: controller.address }, { script, traffic })
        assert.deepStrictEqual(
          traffic.batches.map(batch => batch.map(({ method }) => method)),
          [["eth_getCode", "eth_call", "eth_call"]]
        )
      })
    )

    it.effect("tell a foreign controller from a project without one", () =>
      Effect.gen(function* () {
        const { address } = yield* published(CONTROLLER)
        const directory = yield* published(DIRECTORY)
        const withAnswer = (value: string) => ({
          script: answering(directory.address, "controllerOf(uint256)", "address", value)
        })
        const mismatch = yield* Effect.flip(resolve({ projectId: "5", address }, withAnswer(STRANGER)))
        assert.strictEqual(mismatch._tag, "PROJECT_ASSOCIATION_MISMATCH")
        const missing = yield* Effect.flip(resolve({ projectId: "5", address }, withAnswer(ZERO)))
        assert.strictEqual(missing._tag, "PROJECT_COMPONENT_MISSING")
        const unpublished = yield* Effect.flip(resolve({ projectId: "5" }, withAnswer(STRANGER)))
        assert.strictEqual(unpublished._tag, "TARGET_UNVERIFIED")
        const reverted = yield* Effect.flip(resolve({ projectId: "6" }, withAnswer(address)))
        assert.strictEqual(reverted._tag, "PROJECT_COMPONENT_MISSING")
        const garbled = { script: { ...withAnswer(address).script, calls: () => ({ result: "0x01" }) } }
        assert.strictEqual(
          (yield* Effect.flip(resolve({ projectId: "5" }, garbled)))._tag,
          "RPC_INVALID_RESPONSE"
        )
      })
    )

    it.effect("find the token of a project, proved in both directions", () =>
      Effect.gen(function* () {
        const world = yield* worldOf(TOKEN)
        const query = { contractId: TOKEN, projectId: String(PROJECT) }
        const found = yield* resolve(query, { script: world.script() })
        assert.strictEqual(found.address.toLowerCase(), CLONE)
        assert.strictEqual(found.provenance.projectContext?.association, "JBTokens.tokenOf(uint256)")
        const tokens = yield* published(TOKENS)
        world.answer(tokens.address, "projectIdOf(address)", [CLONE], "uint256", 8n)
        world.answer(tokens.address, "tokenOf(uint256)", [8n], "address", CLONE)
        const other = yield* Effect.flip(resolve(query, { script: world.script() }))
        assert.strictEqual(other._tag, "PROJECT_ASSOCIATION_MISMATCH")
        assert.deepInclude(other.context, { projectId: "7", actual: "8" })
        world.answer(tokens.address, "projectIdOf(address)", [CLONE], "uint256", 0n)
        const unregistered = yield* Effect.flip(resolve(query, { script: world.script() }))
        assert.strictEqual(unregistered._tag, "PROVENANCE_UNVERIFIED")
      })
    )

    it.effect.each([TERMINAL, ROUTER_REGISTRY])(
      "find %s among the terminals that a project lists",
      contractId =>
        Effect.gen(function* () {
          const terminal = yield* published(contractId)
          const directory = yield* published(DIRECTORY)
          const listing = (terminals: ReadonlyArray<string>) => ({
            script: answering(directory.address, "terminalsOf(uint256)", "address[]", terminals)
          })
          for (const address of [{}, { address: terminal.address }]) {
            const query = { contractId, projectId: "5", ...address }
            const listed = yield* resolve(query, listing([STRANGER, terminal.address]))
            assert.strictEqual(listed.address, terminal.address)
            const other = yield* Effect.flip(resolve(query, listing([STRANGER])))
            assert.strictEqual(other._tag, "PROJECT_ASSOCIATION_MISMATCH")
            const none = yield* Effect.flip(resolve(query, listing([])))
            assert.strictEqual(none._tag, "PROJECT_COMPONENT_MISSING")
          }
        })
    )

    it.effect("tell a node that refuses from a project without a part", () =>
      Effect.gen(function* () {
        const codes = new Proxy({}, { get: () => "0x6001" })
        const script: Script = { codes, calls: () => ({ error: { code: -32_000 } }) }
        for (const query of [
          {},
          { contractId: TERMINAL },
          { contractId: TIERS_HOOK },
          { contractId: REVOWNER }
        ]) {
          const refusal = yield* Effect.flip(resolve({ projectId: "5", ...query }, { script }))
          assert.strictEqual(refusal._tag, "RPC_UNAVAILABLE")
        }
      })
    )

    it.effect("find the tiers hook that the ruleset names, or the hook before it", () =>
      Effect.gen(function* () {
        const revnets = yield* at(REVOWNER)
        const omnichain = yield* at(OMNICHAIN)
        const controller = yield* at(CONTROLLER)
        const behind: ReadonlyArray<readonly [string, string, string, (world: World) => unknown]> = [
          [CLONE, controller, "JBController.currentRulesetOf(uint256)", () => undefined],
          [
            revnets,
            revnets,
            "REVOwner.tiered721HookOf(uint256)",
            world => world.answer(revnets, "tiered721HookOf(uint256)", [PROJECT], "address", CLONE)
          ],
          [
            omnichain,
            omnichain,
            "JBOmnichainDeployer.tiered721HookOf(uint256,uint256)",
            world =>
              world.answer(
                omnichain,
                "tiered721HookOf(uint256,uint256)",
                [PROJECT, RULESET],
                "address|bool",
                [CLONE, true]
              )
          ]
        ]
        for (const [dataHook, anchor, association, add] of behind) {
          const world = yield* rulesetWorld(dataHook)
          add(world)
          for (const address of [{}, { address: CLONE }]) {
            const { address: found, provenance } = yield* resolve(ofHook(address), { script: world.script() })
            assert.strictEqual(found.toLowerCase(), CLONE)
            assert.deepStrictEqual(provenance.projectContext, { projectId: "7", association, anchor })
          }
        }
      })
    )

    it.effect("tell a project without a tiers hook from one with another", () =>
      Effect.gen(function* () {
        const revnets = yield* at(REVOWNER)
        const missing = [
          yield* rulesetWorld(ZERO),
          (yield* rulesetWorld(revnets)).answer(
            revnets,
            "tiered721HookOf(uint256)",
            [PROJECT],
            "address",
            ZERO
          ),
          yield* rulesetWorld(revnets),
          yield* worldOf(TIERS_HOOK)
        ]
        for (const world of missing) {
          const refusal = yield* Effect.flip(resolve(ofHook({}), { script: world.script() }))
          assert.strictEqual(refusal._tag, "PROJECT_COMPONENT_MISSING")
        }
        const other = yield* Effect.flip(
          resolve(ofHook({ address: CLONE }), { script: (yield* rulesetWorld(STRANGER)).script() })
        )
        assert.strictEqual(other._tag, "PROJECT_ASSOCIATION_MISMATCH")
        const custom = yield* Effect.flip(
          resolve(ofHook({}), { script: (yield* rulesetWorld(STRANGER)).script() })
        )
        assert.strictEqual(custom._tag, "TARGET_UNVERIFIED")
        const foreign = (yield* rulesetWorld(CLONE)).answer(CLONE, "projectId()", [], "uint256", 8n)
        const mismatch = yield* Effect.flip(resolve(ofHook({}), { script: foreign.script() }))
        assert.strictEqual(mismatch._tag, "PROJECT_ASSOCIATION_MISMATCH")
        assert.deepInclude(mismatch.context, { actual: "8" })
      })
    )

    it.effect("hold for revnets whose configuration, owner and loans agree", () =>
      Effect.gen(function* () {
        for (const contractId of [REVDEPLOYER, REVOWNER, REVLOANS]) {
          const world = yield* revnetWorld()
          const query = { contractId, projectId: String(PROJECT) }
          const { provenance } = yield* resolve(query, { script: world.script() })
          assert.deepStrictEqual(provenance.projectContext, {
            projectId: "7",
            association: "REVDeployer.hashedEncodedConfigurationOf(uint256)",
            anchor: yield* at(REVDEPLOYER)
          })
          for (const { key, name } of world.pieces) {
            const wrong = yield* revnetWorld()
            wrong.replies.set(key, { result: coder.encode(["address"], [STRANGER]) })
            const refusal = Effect.flip(resolve(query, { script: wrong.script() }))
            if (name === "hashedEncodedConfigurationOf(uint256)") {
              wrong.replies.set(key, { result: `0x${"00".repeat(32)}` })
              assert.strictEqual((yield* refusal)._tag, "PROJECT_COMPONENT_MISSING")
            } else assert.strictEqual((yield* refusal)._tag, "PROJECT_ASSOCIATION_MISMATCH", name)
          }
        }
      })
    )

    it.effect("are of contracts that the protocol's records know", () =>
      Effect.gen(function* () {
        for (const contractId of [DIRECTORY, TOKENS, PAYER]) {
          const refusal = yield* Effect.flip(resolve({ contractId, projectId: "5" }))
          assert.strictEqual(refusal._tag, "ASSOCIATION_UNSUPPORTED")
        }
      })
    )
  })
})
