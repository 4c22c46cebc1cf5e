/** Which blocks were seen to have all the code that a manifest pins: the hash names the state, so what an endpoint told of it stays true, and every inspection reads the wallet itself at that very hash. */
import { Deferred, Effect, FiberId } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import { code } from "../chain/PinnedReads.ts"
import type { RpcFailure } from "../chain/refusals.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { pinsOf, type SmartManifest } from "./Manifest.ts"
import { type PinnedCode, pinChecks } from "./WalletChecks.ts"

/** A block as one endpoint knows it. */
export interface KnownBlock {
  readonly endpoint: string
  readonly blockHash: Bytes32
}

const BLOCKS_KEPT = 8

interface Memory {
  seen: ReadonlyArray<string>
  /** Whether all was there, of each look that is not over. */
  readonly looks: Map<string, Deferred.Deferred<boolean>>
}

const memories = new WeakMap<SmartManifest, Memory>()

const memoryOf = (manifest: SmartManifest): Memory => {
  const memory = memories.get(manifest) ?? { seen: [], looks: new Map() }
  memories.set(manifest, memory)
  return memory
}

const nameOf = ({ endpoint, blockHash }: KnownBlock): string => `${endpoint}/${blockHash}`

const pinnedCodes = (manifest: SmartManifest, { blockHash }: KnownBlock, session: ChainSession) => {
  const pins = pinsOf(manifest)
  const codes = session.all(pins.map(({ address }) => code(address, blockHash)))
  return Effect.map(codes, told =>
    pins.map((pin, index): PinnedCode => ({ ...pin, code: told[index] ?? "0x" }))
  )
}

type Look = Effect.Effect<ReadonlyArray<PinnedCode>, RpcFailure>

const looked = (memory: Memory, name: string, look: Look): Look => {
  const over = Deferred.unsafeMake<boolean>(FiberId.none)
  memory.looks.set(name, over)
  return Effect.onExit(look, exit =>
    Effect.sync(() => {
      memory.looks.delete(name)
      const isThere = exit._tag === "Success" && pinChecks(exit.value).every(([, holds]) => holds)
      if (isThere) memory.seen = [name, ...memory.seen].slice(0, BLOCKS_KEPT)
      Deferred.unsafeDone(over, Effect.succeed(isThere))
    })
  )
}

/** None where the block was seen to have them; those who ask while another looks wait for what comes of it, and what lacks one is looked at anew each time. */
export const unseenPins = (manifest: SmartManifest, block: KnownBlock, session: ChainSession): Look =>
  Effect.uninterruptibleMask(restore => {
    const memory = memoryOf(manifest)
    const name = nameOf(block)
    if (memory.seen.includes(name)) return Effect.succeed([])
    const look = restore(pinnedCodes(manifest, block, session))
    const other = memory.looks.get(name)
    if (other === undefined) return looked(memory, name, look)
    return Effect.flatMap(restore(Deferred.await(other)), isThere => (isThere ? Effect.succeed([]) : look))
  })
