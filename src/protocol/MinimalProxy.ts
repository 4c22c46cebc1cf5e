/** Reads the two minimal proxies that the protocol's factories make, byte for byte. */
import { checksummed } from "../values/Checksum.ts"
import type { Address, Hex } from "../values/Scalars.ts"

export type ProxyStandard = "erc1167" | "solady"

export interface MinimalProxy {
  readonly standard: ProxyStandard
  readonly implementation: Address
}

const FORMS = [
  ["erc1167", /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/],
  ["solady", /^0x3d3d3d3d363d3d37363d73([0-9a-f]{40})5af43d3d93803e602a57fd5bf3$/]
] as const

export const minimalProxyOf = (code: Hex): MinimalProxy | undefined => {
  for (const [standard, form] of FORMS) {
    const implementation = form.exec(code)?.[1]
    if (implementation !== undefined) return { standard, implementation: checksummed(`0x${implementation}`) }
  }
  return undefined
}

/** An account whose code is only this delegates to another one (EIP-7702). */
const DELEGATION = /^0xef0100[0-9a-f]{40}$/

export const isProxy = (code: Hex): boolean => minimalProxyOf(code) !== undefined || DELEGATION.test(code)
