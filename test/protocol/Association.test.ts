import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { AbiCoder, id } from "ethers"
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

    it.effect("find the token of a project and the terminals it lists", () =>
      Effect.gen(function* () {
        const token = yield* published(TOKEN)
        const tokens = yield* published(TOKENS)
        const found = yield* resolve(
          { contractId: TOKEN, projectId: "5" },
          { script: answering(tokens.address, "tokenOf(uint256)", "address", token.address) }
        )
        assert.strictEqual(found.address, token.address)
        const terminal = yield* published(TERMINAL)
        const directory = yield* published(DIRECTORY)
        const listing = (terminals: ReadonlyArray<string>) => ({
          script: answering(directory.address, "terminalsOf(uint256)", "address[]", terminals)
        })
        const query = { contractId: TERMINAL, projectId: "5" }
        const listed = yield* resolve(query, listing([STRANGER, terminal.address]))
        assert.strictEqual(listed.address, terminal.address)
        assert.strictEqual(
          (yield* Effect.flip(resolve(query, listing([STRANGER]))))._tag,
          "PROJECT_ASSOCIATION_MISMATCH"
        )
        assert.strictEqual(
          (yield* Effect.flip(resolve(query, listing([]))))._tag,
          "PROJECT_COMPONENT_MISSING"
        )
      })
    )
  })
})
