/** The forwarder of a chain as it is at one block: pinned code, its own words on its domain, and the signer's next nonce. */
import { Effect, Schema } from "effect"
import type { Deployment } from "../catalog/CatalogIndex.ts"
import type { ContractName } from "../protocol/ContractFunction.ts"
import type { PinnedSnapshot, ReadFailure } from "../protocol/PinnedContracts.ts"
import { codeHash } from "../protocol/RuntimeCode.ts"
import type { ForwarderDomain } from "../values/ForwardRequestShape.ts"
import { Address, Uint256 } from "../values/Scalars.ts"
import { ForwarderAccountUnsupported, ForwarderUnavailable, ForwarderUnverified } from "./refusals.ts"

const FORWARDER = "ERC2771Forwarder"
/** Name, version, chain and contract are in the domain; salt and extensions are not. */
const FIELDS = "0x0f"

const ToldDomain = Schema.Struct({
  fields: Schema.String,
  name: Schema.String,
  version: Schema.String,
  chainId: Uint256,
  verifyingContract: Address,
  salt: Schema.String,
  extensions: Schema.Array(Schema.Unknown)
})

const isNamed = Schema.is(Schema.Struct({ name: Schema.Literal("name"), value: Schema.String }))

const nameOf = ({ constructorArguments }: Deployment): string | undefined =>
  constructorArguments?.find(isNamed)?.value

/** The only one in use. */
export const forwarderIn = (
  deploymentsOf: (contract: ContractName) => ReadonlyArray<Deployment>
): Deployment | undefined => {
  const [forwarder, ...others] = deploymentsOf(FORWARDER).filter(({ retired, clone }) => !retired && !clone)
  return others.length > 0 ? undefined : forwarder
}

export const theForwarder = ({ chainId, deploymentsOf }: PinnedSnapshot) => {
  const forwarder = forwarderIn(deploymentsOf)
  return forwarder === undefined
    ? Effect.fail(new ForwarderUnavailable({ context: { chainId } }))
    : Effect.succeed(forwarder)
}

const unverified = (check: string, { chainId, address }: Deployment) =>
  new ForwarderUnverified({ context: { check, chainId, address } })

const domainOf = (told: typeof ToldDomain.Type, forwarder: Deployment) => {
  const { chainId, address } = forwarder
  const isPinned =
    told.fields === FIELDS &&
    told.name === nameOf(forwarder) &&
    told.version === "1" &&
    told.chainId === String(chainId) &&
    told.verifyingContract === address &&
    /^0x0*$/.test(told.salt) &&
    told.extensions.length === 0
  const domain: ForwarderDomain = { name: told.name, version: "1", chainId, verifyingContract: address }
  return isPinned ? Effect.succeed(domain) : Effect.fail(unverified("domain", forwarder))
}

const checkedCode = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, forwarder: Deployment) {
  const { runtimeCodeHash: pinned, address } = forwarder
  const found = codeHash(yield* snapshot.code(address))
  return pinned === null || pinned !== found ? yield* unverified("code", forwarder) : pinned
})

const checkSigner = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, signer: Address) {
  const { chainId } = snapshot
  if ((yield* snapshot.code(signer)) !== "0x")
    return yield* new ForwarderAccountUnsupported({ context: { chainId, address: signer } })
})

/** Whoever is asked and does not answer as a forwarder does is none. */
const asForwarder = <A>(read: Effect.Effect<A, ReadFailure>, forwarder: Deployment) => {
  const refuse = () => Effect.fail(unverified("domain", forwarder))
  return Effect.catchTags(read, {
    CALL_REVERTED: refuse,
    DEPLOYMENT_CODE_MISSING: refuse,
    DEPLOYMENT_UNAVAILABLE: refuse,
    ABI_ARGUMENT_INVALID: refuse
  })
}

/** Its reads join those beside it in one round trip; the code is judged before what it answers. */
export const forwarderAt = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  forwarder: Deployment,
  signer: Address
) {
  const [code, told, next, plain] = yield* Effect.all(
    [
      checkedCode(snapshot, forwarder),
      asForwarder(snapshot.read(FORWARDER, "eip712Domain", [], ToldDomain), forwarder),
      asForwarder(snapshot.read(FORWARDER, "nonces", [signer], Uint256), forwarder),
      checkSigner(snapshot, signer)
    ],
    { concurrency: "unbounded", mode: "either" }
  )
  const forwarderCodeHash = yield* code
  const domain = yield* domainOf(yield* told, forwarder)
  yield* plain
  return { forwarderCodeHash, domain, nonce: BigInt(yield* next) }
})
