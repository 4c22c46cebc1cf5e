/** The forwarder of a chain as it is at one block: pinned code, its own words on its domain, and the signer's next nonce. */
import { Effect, Either, Schema } from "effect"
import type { AbiParameter } from "../catalog/Abi.ts"
import type { Deployment } from "../catalog/CatalogIndex.ts"
import type { CallOutcome } from "../chain/ChainClient.ts"
import { callForAnyone, code as codeAt } from "../chain/PinnedReads.ts"
import { RpcInvalidResponse } from "../chain/refusals.ts"
import { decodeValues } from "../protocol/AbiValues.ts"
import { invocation, nodeRefused, numberIn } from "../protocol/Answers.ts"
import type { ContractName } from "../protocol/ContractFunction.ts"
import type { PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import { codeHash } from "../protocol/RuntimeCode.ts"
import type { ForwarderDomain } from "../values/ForwardRequestShape.ts"
import { memo } from "../values/Memo.ts"
import { Address, type Hex, Uint256 } from "../values/Scalars.ts"
import { ForwarderAccountUnsupported, ForwarderUnavailable, ForwarderUnverified } from "./refusals.ts"

const FORWARDER = "ERC2771Forwarder"
/** Name, version, chain and contract are in the domain; salt and extensions are not. */
const FIELDS = "0x0f"
const JUDGMENTS_KEPT = 64
const LONGEST_KEPT = 2 + 2 * 1_024

const outputs: ReadonlyArray<AbiParameter> = [
  { name: "fields", type: "bytes1" },
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
  { name: "extensions", type: "uint256[]" }
]

const decodeTold = Schema.decodeUnknownEither(
  Schema.Tuple(
    Schema.String,
    Schema.String,
    Schema.String,
    Uint256,
    Address,
    Schema.String,
    Schema.Array(Schema.Unknown)
  )
)

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

export const theForwarder = ({
  chainId,
  deploymentsOf
}: Pick<PinnedSnapshot, "chainId" | "deploymentsOf">) => {
  const forwarder = forwarderIn(deploymentsOf)
  return forwarder === undefined
    ? Effect.fail(new ForwarderUnavailable({ context: { chainId } }))
    : Effect.succeed(forwarder)
}

const unverified = (check: string, { chainId, address }: Deployment) =>
  new ForwarderUnverified({ context: { check, chainId, address } })

const unfit = () =>
  new RpcInvalidResponse({ detail: "The returned data does not fit the ABI.", retryable: false })

type JudgedDomain = Either.Either<ForwarderDomain, ForwarderUnverified | RpcInvalidResponse>

const judged = (told: Hex, forwarder: Deployment): JudgedDomain => {
  const { chainId, address } = forwarder
  const values = Either.flatMap(decodeValues(outputs, told), decodeTold)
  if (Either.isLeft(values)) return Either.left(unfit())
  const [fields, name, version, chain, verifyingContract, salt, extensions] = values.right
  const isPinned =
    fields === FIELDS &&
    name === nameOf(forwarder) &&
    version === "1" &&
    chain === String(chainId) &&
    verifyingContract === address &&
    /^0x0*$/.test(salt) &&
    extensions.length === 0
  return isPinned
    ? Either.right({ name, version: "1", chainId, verifyingContract: address })
    : Either.left(unverified("domain", forwarder))
}

const judgments = memo<JudgedDomain>(JUDGMENTS_KEPT)

/** A forwarder says the same each time. */
const domainIn = (told: Hex, forwarder: Deployment): JudgedDomain => {
  const { chainId, address } = forwarder
  return told.length > LONGEST_KEPT
    ? judged(told, forwarder)
    : judgments(`${chainId}:${address}:${told}`, () => judged(told, forwarder))
}

/** Whoever is asked and does not answer as a forwarder does is none. */
const returned = (outcome: CallOutcome, forwarder: Deployment) => {
  if (outcome._tag === "Refused") return Effect.fail(nodeRefused(outcome.code))
  return outcome._tag === "Returned" && outcome.data !== "0x"
    ? Effect.succeed(outcome.data)
    : Effect.fail(unverified("domain", forwarder))
}

/** Its reads join those beside it in one round trip; the code is judged before what it answers. */
export const forwarderAt = Effect.fnUntraced(function* (
  { askAll, block, chainId }: PinnedSnapshot,
  forwarder: Deployment,
  signer: Address
) {
  const { address, runtimeCodeHash: forwarderCodeHash } = forwarder
  const [code, told, next, signerCode] = yield* askAll([
    codeAt(address, block.hash),
    callForAnyone(invocation(address, "eip712Domain()"), block.hash),
    callForAnyone(invocation(address, "nonces(address)", signer), block.hash),
    codeAt(signer, block.hash)
  ])
  if (forwarderCodeHash === null || forwarderCodeHash !== codeHash(code))
    return yield* unverified("code", forwarder)
  const domain = yield* domainIn(yield* returned(told, forwarder), forwarder)
  if (signerCode !== "0x")
    return yield* new ForwarderAccountUnsupported({ context: { chainId, address: signer } })
  yield* returned(next, forwarder)
  const nonce = yield* Either.mapLeft(numberIn(next), unfit)
  return { forwarderCodeHash, domain, nonce }
})
