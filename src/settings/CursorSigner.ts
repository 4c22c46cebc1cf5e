/** What cursors are authenticated by: the key that all replicas share. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import { Settings } from "./Settings.ts"

export interface CursorSigning {
  /** 32 bytes. */
  readonly sign: (text: string) => Uint8Array
  /** Whether this is, or once was, the signature of the text. */
  readonly isSigned: (text: string, signature: Uint8Array) => boolean
}

export const keyed = (key: string): CursorSigning => {
  const sign = (text: string) => createHmac("sha256", key).update(text).digest()
  return {
    sign,
    isSigned: (text, signature) => {
      const proper = sign(text)
      return signature.length === proper.length && timingSafeEqual(signature, proper)
    }
  }
}

export class CursorSigner extends Context.Tag("settings/CursorSigner")<CursorSigner, CursorSigning>() {
  static readonly layer = Layer.effect(
    CursorSigner,
    Effect.map(Settings, ({ reviewSecret }) => keyed(Redacted.value(reviewSecret)))
  )
}
