/** Which assets a simulated call would move, read from the transfer logs of the simulation alone. */
import type { SimulationOutcome } from "../chain/PinnedReads.ts"
import type { AssetChange, AssetChanges } from "../plans/Simulation.ts"
import { checksummed } from "../values/Checksum.ts"
import type { Hex } from "../values/Scalars.ts"

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
/** Under which traced transfers of the native token are logged. */
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
const MAXIMUM_CHANGES = 256
/** Of JSON-RPC; any other error may be of this block or of the moment. */
const NO_SUCH_METHOD = -32_601

interface Log {
  readonly address: Hex
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
}

const addressIn = (topic: Hex) => checksummed(`0x${topic.slice(26)}`)

const isWord = (data: Hex): boolean => data.length === 66

const changeOf = ({ address, topics, data }: Log): ReadonlyArray<AssetChange> => {
  const [signature, from, to, tokenId] = topics
  if (signature !== TRANSFER || from === undefined || to === undefined) return []
  const ends = { from: addressIn(from), to: addressIn(to) }
  if (tokenId !== undefined)
    return [{ kind: "erc721", token: checksummed(address), tokenId: String(BigInt(tokenId)), ...ends }]
  if (!isWord(data)) return []
  const amount = String(BigInt(data))
  return address === NATIVE
    ? [{ kind: "native", amount, ...ends }]
    : [{ kind: "erc20", token: checksummed(address), amount, ...ends }]
}

const unknown = (reason: string): AssetChanges => ({ status: "unknown", reason })

export const assetChangesOf = (outcome: SimulationOutcome | undefined): AssetChanges => {
  if (outcome === undefined) return unknown("the node's simulation could not be read")
  if (outcome._tag === "Refused")
    return unknown(
      outcome.code === NO_SUCH_METHOD
        ? "the node does not serve eth_simulateV1"
        : `the node answered eth_simulateV1 with error ${outcome.code}`
    )
  const [call] = outcome.calls
  if (call === undefined || call.status === "reverted")
    return unknown("the simulation with traced transfers reverted")
  const changes = call.logs.flatMap(changeOf)
  return changes.length > MAXIMUM_CHANGES
    ? unknown(`more than ${MAXIMUM_CHANGES} transfers`)
    : { status: "known", changes }
}
