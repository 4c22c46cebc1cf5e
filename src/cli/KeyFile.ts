/** Key files: one key with what it acts for, readable by its owner alone. */
import { chmod, readFile, rename, rm, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"
import { usageFailure } from "./Failure.ts"
import { placedFlushed, writeFlushed } from "./Flushed.ts"

export interface KeyFile {
  readonly privateKey: `0x${string}`
  readonly address: string
  readonly accountId?: string | undefined
  readonly grantId?: string | undefined
}

const PRIVATE = 0o600
const OTHERS = 0o077

const refuse = (path: string, fault: string, advice: string): never => {
  throw usageFailure(`The key file ${path} ${fault}.`, advice)
}

const SHAPE = 'It holds JSON like {"privateKey":"0x…","address":"0x…","accountId":"eip155:…","grantId":"…"}.'

const isKey = (value: unknown): value is `0x${string}` =>
  typeof value === "string" && /^0x[0-9a-fA-F]{64}$/.test(value)

const textOf = (path: string, name: string, value: unknown): string | undefined =>
  value === undefined || typeof value === "string" ? value : refuse(path, `has no text as ${name}`, SHAPE)

const jsonOf = (path: string, text: string): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return refuse(path, "is not JSON", SHAPE)
  }
}

const parsed = (path: string, text: string): KeyFile => {
  const { privateKey, address: named, accountId, grantId } = jsonOf(path, text)
  if (!isKey(privateKey)) return refuse(path, "has no privateKey of 32 bytes in hexadecimal", SHAPE)
  const { address } = privateKeyToAccount(privateKey)
  if (textOf(path, "address", named ?? address)?.toLowerCase() !== address.toLowerCase())
    return refuse(path, `names another address than its key's ${address}`, "Use the file as it was written.")
  return {
    privateKey,
    address,
    accountId: textOf(path, "accountId", accountId),
    grantId: textOf(path, "grantId", grantId)
  }
}

export const readKeyFile = async (path: string): Promise<KeyFile> => {
  const { mode } = await stat(path).catch(() => refuse(path, "cannot be opened", "Check the path."))
  if (process.platform !== "win32" && (mode & OTHERS) !== 0)
    refuse(path, "can be read by others", `Run: chmod 600 ${path}`)
  const text = await readFile(path, "utf8").catch(() => refuse(path, "cannot be read", "Check the path."))
  return parsed(path, text)
}

/** Whole or not at all, and private from its first byte. */
export const writeKeyFile = async (path: string, content: KeyFile): Promise<void> => {
  const draft = `${path}.${crypto.randomUUID()}.draft`
  try {
    await writeFlushed(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: PRIVATE, flag: "wx" })
    await chmod(draft, PRIVATE)
    await placedFlushed(dirname(path), rename(draft, path))
  } catch {
    await rm(draft, { force: true }).catch(() => {})
    refuse(path, "cannot be written", "Choose a path in a directory that you may write to.")
  }
}

export const accountOfKey = ({ privateKey }: KeyFile): PrivateKeyAccount => privateKeyToAccount(privateKey)
