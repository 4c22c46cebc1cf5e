/** Which declaration an emitter's event has: the pinned ABIs', or that of a contract outside the protocol. */
import { readFileSync } from "node:fs"
import { Array, Option, Schema } from "effect"
import { keccak256, parseAbi, stringToHex } from "viem"
import { Abi, type AbiParameter, canonicalType, sha256 } from "../../src/catalog/Abi.ts"

export interface EventEntry {
  readonly signature: string
  readonly inputs: ReadonlyArray<AbiParameter>
}

const outside = parseAbi([
  "event Deposit(address indexed dst, uint256 wad)",
  "event Withdrawal(address indexed src, uint256 wad)",
  "event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)",
  "event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)",
  "event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)",
  "event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration)",
  "event Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce)"
])

/** The positions of the pool manager, which names its tokens otherwise than the protocol does. */
const positions = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 indexed id)"])

export const readAbi = Schema.decodeUnknownSync(Abi)

const eventsOf = (abi: Abi): ReadonlyArray<EventEntry> =>
  abi.flatMap(({ type, name = "", inputs = [] }) =>
    type === "event" ? [{ signature: `${name}(${inputs.map(canonicalType).join(",")})`, inputs }] : []
  )

const abisByHash = new Map(
  readFileSync("schema/protocol/abis.ndjson", "utf8")
    .trimEnd()
    .split("\n")
    .map(line => [sha256(line), readAbi(JSON.parse(line))] as const)
)

export const pinnedAbis = [...abisByHash.values()]

const readContracts = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ name: Schema.String, abiHash: Schema.NullOr(Schema.String) }))
)

/** By the name of a contract. */
export const abisByName: ReadonlyMap<string, Abi> = new Map(
  readContracts(JSON.parse(readFileSync("schema/protocol/contracts.json", "utf8"))).flatMap(
    ({ name, abiHash }) => {
      const abi = abisByHash.get(abiHash ?? "")
      return abi === undefined ? [] : [[name, abi]]
    }
  )
)

const known = Array.groupBy(
  [...pinnedAbis, readAbi(outside), readAbi(positions)].flatMap(eventsOf),
  ({ signature }) => signature
)

const namesOf = ({ inputs }: EventEntry) => inputs.map(({ name }) => name).join()

/** Declarations of one signature differ in names: those of the arguments choose. */
export const eventEntry = (signature: string, names: ReadonlyArray<string>): EventEntry => {
  const found = known[signature]?.find(entry => entry.inputs.every(({ name }) => names.includes(name)))
  return Option.getOrThrowWith(
    Option.fromNullable(found),
    () => new Error(`no event ${signature} with ${names} among ${known[signature]?.map(namesOf).join(" | ")}`)
  )
}

export const eventSignatures: ReadonlyMap<string, string> = new Map(
  Object.keys(known).map(signature => [keccak256(stringToHex(signature)), signature])
)
