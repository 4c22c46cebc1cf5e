/** Which blocks were seen to have all the code that a manifest pins: the hash names the state, so what an endpoint told of it stays true, and every inspection reads the wallet itself at that very hash. */
import type { Bytes32 } from "../values/Scalars.ts"
import type { SmartManifest } from "./Manifest.ts"

/** A block as one endpoint knows it. */
export interface KnownBlock {
  readonly endpoint: string
  readonly blockHash: Bytes32
}

const BLOCKS_KEPT = 8

const seen = new WeakMap<SmartManifest, ReadonlyArray<string>>()

const nameOf = ({ endpoint, blockHash }: KnownBlock): string => `${endpoint}/${blockHash}`

export const hasPins = (manifest: SmartManifest, block: KnownBlock): boolean =>
  seen.get(manifest)?.includes(nameOf(block)) === true

/** What lacks one is looked at anew each time. */
export const notePins = (manifest: SmartManifest, block: KnownBlock): void => {
  const before = (seen.get(manifest) ?? []).filter(name => name !== nameOf(block))
  seen.set(manifest, [nameOf(block), ...before].slice(0, BLOCKS_KEPT))
}
