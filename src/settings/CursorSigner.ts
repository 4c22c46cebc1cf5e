/** What cursors are authenticated by: the key that all replicas share, and the one that it took the place of. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { reviewKeys, Settings } from "./Settings.ts"

export interface CursorSigning {
  /** 32 bytes. */
  readonly sign: (text: string) => Uint8Array
  /** Whether this is, or once was, the signature of the text. */
  readonly isSigned: (text: string, signature: Uint8Array) => boolean
  /** Whether the signature was made with a key that is known no more. */
  readonly hasEnded?: (signature: Uint8Array) => boolean
}

export const CURSOR_ENDED =
  "The cursor has ended: the service no longer has the key that it was made with. Begin with the first page."

const KEY_ID_BYTES = 4
const BYTES = 32

const idOf = (key: string): Buffer =>
  createHmac("sha256", key).update("cursor key id").digest().subarray(0, KEY_ID_BYTES)

/** Begins with which key it is of. */
const signedBy = (key: string) => {
  const id = idOf(key)
  const sign = (text: string): Buffer =>
    Buffer.concat([id, createHmac("sha256", key).update(text).digest()]).subarray(0, BYTES)
  return { id, sign }
}

/** Signs with the first key. */
export const keyed = (key: string, ...previous: ReadonlyArray<string>): CursorSigning => {
  const current = signedBy(key)
  const all = [current, ...previous.map(signedBy)]
  return {
    sign: current.sign,
    isSigned: (text, signature) =>
      signature.length === BYTES && all.some(({ sign }) => timingSafeEqual(sign(text), signature)),
    hasEnded: signature =>
      signature.length === BYTES && !all.some(({ id }) => id.equals(signature.subarray(0, KEY_ID_BYTES)))
  }
}

export class CursorSigner extends Context.Tag("settings/CursorSigner")<CursorSigner, CursorSigning>() {
  static readonly layer = Layer.effect(
    CursorSigner,
    Effect.map(Settings, settings => keyed(...reviewKeys(settings)))
  )
}
