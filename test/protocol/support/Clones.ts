/** Worlds in which one clone of each family is proved by every answer that its proof needs. */
import { Effect } from "effect"
import { AbiCoder, id } from "ethers"
import { Catalog } from "../../../src/catalog/Catalog.ts"
import { CLONE_FAMILIES, type CloneFamily, familyOf, PROOFS } from "../../../src/catalog/CloneFamilies.ts"
import { resolve } from "./Protocol.ts"
import type { NodeReply, Script } from "./ScriptedChain.ts"

const coder = AbiCoder.defaultAbiCoder()

export const CLONE = "0x00000000000000000000000000000000000c104e"
export const HOOK = "0x0000000000000000000000000000000000007215"
const OWNER = "0x00000000000000000000000000000000000000aa"
export const STRANGER = `0x${"77".repeat(20)}`
export const PROJECT = 7n

export const ADDRESS_REGISTRY = "@bananapus/address-registry-v6:src/JBAddressRegistry.sol:JBAddressRegistry"
export const SUCKER_REGISTRY = "@bananapus/suckers-v6:src/JBSuckerRegistry.sol:JBSuckerRegistry"
export const TIERS_HOOK = "@bananapus/721-hook-v6:src/JB721TiersHook.sol:JB721TiersHook"

const lower = (address: string) => address.slice(2).toLowerCase()

export const proxyCode = (standard: "erc1167" | "solady", implementation: string): string =>
  standard === "erc1167"
    ? `0x363d3d373d3d3d363d73${lower(implementation)}5af43d82803e903d91602b57fd5bf3`
    : `0x3d3d3d3d363d3d37363d73${lower(implementation)}5af43d3d93803e602a57fd5bf3`

const keyOf = (to: string, data: string) => `${to.toLowerCase()}:${data}`

/** One scripted answer and the proof that fails without it. */
interface Piece {
  readonly key: string
  readonly name: string
  readonly proof: string
  readonly type: string
  /** Zero would do no harm. */
  readonly spare: boolean
}

export class World {
  readonly chainId: number
  readonly replies = new Map<string, NodeReply>()
  readonly codes = new Map<string, string>()
  readonly pieces: Array<Piece> = []

  constructor(chainId = 1) {
    this.chainId = chainId
  }

  answer(
    to: string,
    signature: string,
    args: ReadonlyArray<unknown>,
    type: string,
    value: unknown,
    proof?: string,
    spare = false
  ) {
    const types = signature
      .slice(signature.indexOf("(") + 1, -1)
      .split(",")
      .filter(Boolean)
    const data = `${id(signature).slice(0, 10)}${coder.encode(types, args).slice(2)}`
    const key = keyOf(to, data)
    this.replies.set(key, {
      result: coder.encode(type.split("|"), type.includes("|") ? Object(value) : [value])
    })
    if (proof !== undefined) this.pieces.push({ key, name: signature, proof, type, spare })
    return this
  }

  code(address: string, bytes: string) {
    this.codes.set(address.toLowerCase(), bytes)
    return this
  }

  script(): Script {
    return {
      codes: new Proxy({}, { get: (_, address) => this.codes.get(String(address).toLowerCase()) ?? "0x" }),
      calls: (to, data) => this.replies.get(keyOf(to, data)) ?? { error: { code: 3, data: "0x" } }
    }
  }
}

export const at = Effect.fn("at")(function* (
  contractId: string,
  generation = "current",
  clone = false,
  chainId = 1
) {
  const rows = (yield* Catalog).deployments(chainId, contractId)
  const row = rows.find(found => found.generation === generation && found.clone === clone)
  return (yield* Effect.fromNullable(row)).address
})

const currentAt = ({ chainId }: World, contractId: string) => at(contractId, "current", false, chainId)

const simple = (contractId: string) => contractId.slice(contractId.lastIndexOf(":") + 1)

export const getterProof = ({ factory, getter }: CloneFamily) =>
  `${simple(factory)}.${getter} = implementation`

export const codeProof = ({ standard }: CloneFamily) => `code(clone) is the exact ${standard} proxy`

type Ties = (world: World, clone: string, factory: string) => Effect.Effect<unknown, unknown, Catalog>

const registered: Ties = Effect.fn("registered")(function* (world, clone, factory) {
  const registry = yield* currentAt(world, ADDRESS_REGISTRY)
  world.answer(registry, "deployerOf(address)", [clone], "address", factory, PROOFS.registered)
})

const withProject: Ties = Effect.fn("withProject")(function* (world, clone, factory) {
  yield* registered(world, clone, factory)
  world.answer(clone, "projectId()", [], "uint256", PROJECT, PROOFS.project)
})

const TIES: Readonly<Record<CloneFamily["association"], Ties>> = {
  "JBTokens.projectIdOf(address)": (world, clone, tokens) =>
    Effect.sync(() =>
      world
        .answer(tokens, "projectIdOf(address)", [clone], "uint256", PROJECT, PROOFS.tokenProject)
        .answer(tokens, "tokenOf(uint256)", [PROJECT], "address", clone, PROOFS.projectToken)
        .answer(clone, "tokens()", [], "address", tokens, PROOFS.tokenStore)
    ),
  "JBAddressRegistry.deployerOf(address)": registered,
  "JB721TiersHook.checkpoints()": Effect.fn("checkpoints")(function* (world, clone) {
    const nested = yield* worldOf(TIERS_HOOK, HOOK, "current", world.chainId)
    for (const [key, reply] of nested.replies) world.replies.set(key, reply)
    for (const [address, bytes] of nested.codes) world.code(address, bytes)
    world.pieces.push(...nested.pieces.map(piece => ({ ...piece, proof: PROOFS.hook })))
    world
      .answer(clone, "hook()", [], "address", HOOK, PROOFS.hook)
      .answer(HOOK, "checkpoints()", [], "address", clone, PROOFS.checkpoints)
  }),
  "JBProjectPayer.DEPLOYER()": (world, clone, factory) =>
    Effect.sync(() =>
      world
        .answer(clone, "DEPLOYER()", [], "address", factory, PROOFS.payerDeployer)
        .answer(clone, "defaultProjectId()", [], "uint256", PROJECT, PROOFS.payerUse, true)
        .answer(clone, "owner()", [], "address", OWNER, PROOFS.payerUse, true)
    ),
  "JBSuckerRegistry.isSuckerOf(uint256,address)": Effect.fn("suckers")(function* (world, clone, factory) {
    const registry = yield* currentAt(world, SUCKER_REGISTRY)
    world
      .answer(factory, "isSucker(address)", [clone], "bool", true, PROOFS.isSucker)
      .answer(clone, "deployer()", [], "address", factory, PROOFS.suckerDeployer)
      .answer(clone, "projectId()", [], "uint256", PROJECT, PROOFS.projectSucker)
      .answer(registry, "isSuckerOf(uint256,address)", [PROJECT, clone], "bool", true, PROOFS.projectSucker)
  })
}

export const worldOf: (
  contractId: string,
  clone?: string,
  generation?: string,
  chainId?: number
) => Effect.Effect<World, unknown, Catalog> = Effect.fn("worldOf")(function* (
  contractId: string,
  clone: string = CLONE,
  generation = "current",
  chainId = 1
) {
  const family = yield* Effect.fromNullable(familyOf(contractId))
  const factory = yield* at(family.factory, generation, false, chainId)
  const implementation = yield* at(contractId, generation, false, chainId)
  const world = new World(chainId)
    .code(clone, proxyCode(family.standard, implementation))
    .code(implementation, "0x6001")
    .answer(factory, family.getter, [], "address", implementation, getterProof(family))
  const ties = family.proofs.includes(PROOFS.project) ? withProject : TIES[family.association]
  yield* ties(world, clone, factory)
  return world
})

export const FAMILIES = CLONE_FAMILIES.map(family => [simple(family.implementation), family] as const)

export const resolved = (contractId: string, world: World, address: string = CLONE) =>
  resolve({ contractId, address }, { script: world.script() })

export const refusal = (contractId: string, world: World, address?: string) =>
  Effect.flip(resolved(contractId, world, address))

export const namesOf = (proofs: unknown): ReadonlyArray<string> =>
  Array.isArray(proofs) ? proofs.map(({ name, reason }) => (reason ? String(name) : "without a reason")) : []
