/** Creation code of other projects' contracts, read where npm installed them for development: no byte of it is kept here. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { type Hex, isHex } from "viem"

/** The names are those of the pins that the codes create. */
export interface CreationCodes {
  readonly entryPoint: Hex
  readonly singleton: Hex
  readonly factory: Hex
  readonly adapter: Hex
  /** Without its constructor's arguments. */
  readonly launchpad: Hex
}

const SAFE = "@safe-global/safe-contracts/build/artifacts/contracts"

const FILES = {
  entryPoint: "@account-abstraction/contracts/artifacts/EntryPoint.json",
  singleton: `${SAFE}/SafeL2.sol/SafeL2.json`,
  factory: `${SAFE}/proxies/SafeProxyFactory.sol/SafeProxyFactory.json`,
  adapter: "@rhinestone/modulekit/src/deployment/precompiles/Safe7579Precompiles.sol"
}

type Files = typeof FILES

const code = (text: unknown, file: string): Hex => {
  if (typeof text !== "string" || !isHex(text)) throw new Error(`${file} holds no creation code.`)
  return text
}

const compiled = (file: string): Hex => code(JSON.parse(readFileSync(file, "utf8")).bytecode, file)

/** A constant of a Solidity source. */
const constant = (file: string, name: string): Hex => {
  const [, digits] = new RegExp(`\\b${name}\\s*=\\s*hex"([0-9a-f]+)"`).exec(readFileSync(file, "utf8")) ?? []
  return code(`0x${digits}`, file)
}

const located = (origin: string): Files | undefined => {
  const { resolve } = createRequire(origin)
  try {
    return {
      entryPoint: resolve(FILES.entryPoint),
      singleton: resolve(FILES.singleton),
      factory: resolve(FILES.factory),
      adapter: resolve(FILES.adapter)
    }
  } catch (cause) {
    if (Object(cause).code === "MODULE_NOT_FOUND") return undefined
    throw cause
  }
}

/** Undefined where the packages are not installed, as without development dependencies. */
export const installedCodes = (origin = import.meta.url): (() => CreationCodes) | undefined => {
  const files = located(origin)
  if (files === undefined) return undefined
  return () => ({
    entryPoint: compiled(files.entryPoint),
    singleton: compiled(files.singleton),
    factory: compiled(files.factory),
    adapter: constant(files.adapter, "SAFE7579_BYTECODE"),
    launchpad: constant(files.adapter, "SAFE7579_LAUNCHPAD_BYTECODE")
  })
}
