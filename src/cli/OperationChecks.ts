/** What `doctor --execution` looks at for user operations: the pinned contracts of smart accounts on each node, the chain's bundler and its paymaster. */
import { readFile } from "node:fs/promises"
import { Either, type ParseResult, Schema } from "effect"
import { isAddressEqual, isHex, keccak256 } from "viem"
import { ManifestFile, type NamedPin, pinsOf, type SmartManifest } from "../smartaccounts/Manifest.ts"
import { misfitOf } from "../values/Expectation.ts"
import { type Check, degradedCheck, failed, ok } from "./Checks.ts"
import { explain } from "./Explain.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import { guardGround } from "./GuardReads.ts"
import { type Rpc, rpcAt } from "./Rpc.ts"

const OVERRIDE = "bundler's overrides"

/** An address that has neither code nor logs. */
const NOBODY = "0x00000000000000000000000000000000000ca11e"

export interface Carriers {
  readonly bundler: string | undefined
  readonly paymaster: string | undefined
  /** What the paymaster is given beside an operation, as JSON. */
  readonly context: string | undefined
}

const misfitIn = (error: ParseResult.ParseError): string => {
  const { path, expected } = misfitOf(error)
  return path.length === 0
    ? `holds no manifests of smart accounts: ${expected}`
    : `is at fault at ${path.map(String).join(".")}: ${expected}`
}

export const manifestsIn = async (file: string | undefined): Promise<ReadonlyArray<SmartManifest>> => {
  if (file === undefined) return []
  const refuse = (why: string) =>
    new CliFailure(ExitCode.usage, `${file} ${why}.`, "Name the service's file with --manifests.")
  const text = await readFile(file, "utf8").catch(() => {
    throw refuse("cannot be read")
  })
  return Either.getOrThrowWith(Schema.decodeEither(ManifestFile)(text), error => refuse(misfitIn(error)))
    .manifests
}

const isOther = async (rpc: Rpc, { address, runtimeCodeHash }: NamedPin): Promise<boolean> => {
  const code = await rpc.call("eth_getCode", [address, "latest"])
  return !isHex(code) || keccak256(code) !== runtimeCodeHash
}

const pinsCheck = async (rpc: Rpc, manifest: SmartManifest): Promise<Check> => {
  const name = `manifest ${manifest.id}`
  const pins = pinsOf(manifest)
  const others = await Promise.all(pins.map(pin => isOther(rpc, pin)))
  const found = pins.filter((_, index) => others[index])
  return found.length === 0
    ? ok(name, `${pins.length} contracts have the pinned code`)
    : failed(
        name,
        `another code than the pinned: ${found.map(pin => `${pin.name} ${pin.address}`).join(", ")}; its wallets are refused`
      )
}

/** Sessions live at a guard that was made for the manifest's own entry point and adapter. */
const guardCheck = async (rpc: Rpc, { id, pins }: SmartManifest): Promise<Check> => {
  const name = `guard of ${id}`
  const { guard, entryPoint, adapter } = pins
  if (guard === undefined)
    return degradedCheck(name, "none is pinned; its wallets have no sessions. --deploy-guard prints one")
  const code = await rpc.call("eth_getCode", [guard.address, "latest"])
  if (!isHex(code) || code === "0x") return failed(name, `${guard.address} has no code on this chain`)
  if (keccak256(code) !== guard.runtimeCodeHash)
    return failed(name, `${guard.address} has another code than the pinned; sessions are refused`)
  const ground = await guardGround(rpc, guard.address)
  const isMeant =
    ground.isValidator &&
    isAddressEqual(ground.entryPoint, entryPoint.address) &&
    isAddressEqual(ground.adapter, adapter.address)
  return isMeant
    ? ok(name, `${guard.address} has the pinned code, for this entry point and adapter`)
    : failed(
        name,
        `${guard.address} was made for the entry point ${ground.entryPoint} and the adapter ${ground.adapter}`
      )
}

/** Of an address that has none: whether the node looks as far back as any wallet may go. */
const historyCheck = async (rpc: Rpc): Promise<Check> => {
  const name = "wallets' history"
  const reply = await rpc.ask("eth_getLogs", [{ address: NOBODY, fromBlock: "0x0", toBlock: "latest" }])
  return "result" in reply
    ? ok(name, "logs of one address are told from block 0 on")
    : failed(
        name,
        `logs of one address from block 0 on are refused (${reply.error.code} ${reply.error.message}); no wallet is inspected through this node`
      )
}

const unreadable = (name: string) => (): Check => failed(name, "answers as no guard does")

const ofManifests = async (
  rpc: Rpc,
  manifests: ReadonlyArray<SmartManifest>
): Promise<ReadonlyArray<Check>> => {
  const chainId = Number(await rpc.call("eth_chainId"))
  const here = manifests.filter(each => each.chainId === chainId)
  const executing = here.filter(({ mode }) => mode === "execution")
  const guards = executing.map(manifest =>
    guardCheck(rpc, manifest).catch(unreadable(`guard of ${manifest.id}`))
  )
  const pins = here.map(manifest => pinsCheck(rpc, manifest))
  if (here.length > 0) return Promise.all([...pins, ...guards, historyCheck(rpc)])
  return [degradedCheck("manifest", `none is of chain ${chainId}; it has no smart accounts`)]
}

/** The chain's manifests against its node. */
export const manifestChecks = (rpc: Rpc, manifests: ReadonlyArray<SmartManifest>) =>
  ofManifests(rpc, manifests).catch(failure => [failed("manifest", explain(failure).message)])

/** The code and balance of a wallet that pays what is asked and does nothing. */
const PAYING = { code: "0x5f5f5f5f604435335af15060205ff3", balance: `0x1${"0".repeat(24)}` }

const operationOf = (sender: string) => ({
  ...{ sender, nonce: "0x0", callData: "0x", signature: `0x${"00".repeat(65)}` },
  ...{ callGasLimit: "0x0", verificationGasLimit: "0x0", preVerificationGas: "0x0" },
  ...{ maxFeePerGas: "0x3b9aca00", maxPriorityFeePerGas: "0x3b9aca00" }
})

const overrideCheck = async (bundler: Rpc, entryPoint: string): Promise<Check> => {
  const params = [operationOf(NOBODY), entryPoint, { [NOBODY]: PAYING }]
  const reply = await bundler.ask("eth_estimateUserOperationGas", params)
  return "result" in reply
    ? ok(OVERRIDE, "estimates take another state than the chain's")
    : degradedCheck(
        OVERRIDE,
        `estimates take no other state than the chain's (${reply.error.code}); of what depends on one the gas is computed`
      )
}

const entryPointCheck = async (bundler: Rpc, { id, pins }: SmartManifest): Promise<Check> => {
  const name = "bundler's entry points"
  const { address } = pins.entryPoint
  const told = await bundler.call("eth_supportedEntryPoints")
  const isServed = Array.isArray(told) && told.some(each => isHex(each) && isAddressEqual(each, address))
  return isServed
    ? ok(name, `${address} of ${id}`)
    : failed(name, `not ${address} of ${id}; it carries no operation of that manifest's wallets`)
}

const contextIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new CliFailure(
      ExitCode.usage,
      "--paymaster-context is no JSON.",
      'It is an object, such as {"policyId":"…"}.'
    )
  }
}

const paymasterCheck = async (
  url: string | undefined,
  context: unknown,
  manifest: SmartManifest
): Promise<Check> => {
  const name = "paymaster"
  if (url === undefined) return ok(name, "none is named here; wallets pay for their operations")
  const { chainId, pins } = manifest
  const params = [operationOf(NOBODY), pins.entryPoint.address, `0x${chainId.toString(16)}`, context]
  const reply = await rpcAt(url).ask("pm_getPaymasterStubData", params)
  if ("error" in reply)
    return degradedCheck(
      name,
      `refuses a stub for a wallet that it does not know, or by this context (${reply.error.code})`
    )
  const { paymaster, paymasterData } = Object(reply.result)
  if (!isHex(paymaster) || !isHex(paymasterData)) return failed(name, "its stub names no paymaster and data")
  return pins.paymasters.some(({ address }) => isAddressEqual(address, paymaster))
    ? ok(name, `${paymaster} of ${manifest.id} by a stub of ${(paymasterData.length - 2) / 2} bytes`)
    : failed(name, `its stub names ${paymaster}, which ${manifest.id} does not pin; it is refused`)
}

const unreached = (name: string) => (): Check =>
  degradedCheck(name, "was not reached, or speaks no JSON-RPC; what leaves for it meanwhile stays unknown")

/** Nothing is sent by them. */
export const carrierChecks = async (
  { bundler: url, paymaster, context }: Carriers,
  manifests: ReadonlyArray<SmartManifest>
): Promise<ReadonlyArray<Check>> => {
  const given = contextIn(context ?? "{}")
  if (url === undefined)
    return [
      degradedCheck("bundler", "none is named here; without SERVICE_BUNDLER_<chainId> nothing is carried")
    ]
  const bundler = rpcAt(url)
  const told = await bundler.call("eth_chainId").catch(() => undefined)
  if (told === undefined) return [unreached("bundler")()]
  const [manifest] = manifests.filter(({ chainId, mode }) => chainId === Number(told) && mode === "execution")
  if (manifest === undefined)
    return [failed("bundler", `serves chain ${Number(told)}, of which no manifest is known here`)]
  return Promise.all([
    ok("bundler", `serves chain ${Number(told)}`),
    entryPointCheck(bundler, manifest).catch(unreached("bundler's entry points")),
    overrideCheck(bundler, manifest.pins.entryPoint.address).catch(unreached(OVERRIDE)),
    paymasterCheck(paymaster, given, manifest).catch(unreached("paymaster"))
  ])
}
