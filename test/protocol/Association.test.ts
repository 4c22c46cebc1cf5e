import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { AbiCoder, id } from "ethers"
import { at, CLONE, PROJECT, STRANGER, TIERS_HOOK, World, worldOf } from "./support/Clones.ts"
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

const asked = (signature: string, projectId: bigint) =>
  `${id(signature).slice(0, 10)}${coder.encode(["uint256"], [projectId]).slice(2)}`

const REVNETS = "@rev-net/core-v6:src"
const REVDEPLOYER = `${REVNETS}/REVDeployer.sol:REVDeployer`
const REVOWNER = `${REVNETS}/REVOwner.sol:REVOwner`
const REVLOANS = `${REVNETS}/REVLoans.sol:REVLoans`
const ROUTER_REGISTRY =
  "@bananapus/router-terminal-v6:src/JBRouterTerminalRegistry.sol:JBRouterTerminalRegistry"
const PAYER = "@bananapus/project-payer-v6:src/JBProjectPayer.sol:JBProjectPayer"
const PROJECTS = "@bananapus/core-v6:src/JBProjects.sol:JBProjects"
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
          calls: (to, data, value) =>
            to === controller.address
              ? { result: coder.encode(["address"], [STRANGER]) }
              : (named.calls?.(to, data, value) ?? { result: "0x" })
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
