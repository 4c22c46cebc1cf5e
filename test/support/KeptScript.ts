/** A script that begins with the code which an earlier process of it had compiled. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { Script } from "node:vm"

interface Place {
  readonly file: string
  /** Where its compiled code is or will be. */
  readonly code: string
  /** The URL of its module, from which it looks for packages and files. */
  readonly home: string
}

interface KeptScript {
  readonly run: () => Promise<void>
  /** All that is compiled by now. */
  readonly keepCode: () => void
}

export const keptScript = ({ file, code, home }: Place): KeptScript => {
  const kept = existsSync(code) ? { cachedData: readFileSync(code) } : {}
  const script = new Script(readFileSync(file, "latin1"), { filename: file, ...kept })
  const require = createRequire(home)
  const load = async (name: string) => {
    const module = require(name)
    return { ...module, default: module }
  }
  return {
    run: () => script.runInThisContext()(require, home, load),
    keepCode: () => {
      const draft = `${code}.${process.pid}`
      writeFileSync(draft, script.createCachedData())
      renameSync(draft, code)
    }
  }
}

/** The first process that ends by itself keeps the code for all others. */
export const runKept = async (place: Place): Promise<void> => {
  const { run, keepCode } = keptScript(place)
  process.once("exit", () => {
    if (!existsSync(place.code)) keepCode()
  })
  await run()
}
