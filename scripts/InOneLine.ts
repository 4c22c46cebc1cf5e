/** A command that fails says why in one line, and ends with 1. */
export const inOneLine = async (command: string, run: () => void | Promise<void>): Promise<void> => {
  try {
    await run()
  } catch (cause) {
    const [line = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n")
    console.error(`npm run ${command}: ${line}`)
    process.exitCode = 1
  }
}
