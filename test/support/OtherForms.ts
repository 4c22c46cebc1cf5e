/** Keys whose signatures come in forms that other libraries write. */
import type { PrivateKeyAccount } from "viem/accounts"

/** With a recovery id of 0 or 1 in the place of 27 or 28. */
export const signingWithoutOffset = (key: PrivateKeyAccount): PrivateKeyAccount => ({
  ...key,
  sign: async parameters => {
    const signature = await key.sign(parameters)
    return `0x${signature.slice(2, -2)}0${Number.parseInt(signature.slice(-2), 16) - 27}`
  }
})
