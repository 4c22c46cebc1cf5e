/** How long a command watches. */

/** Ends the work where something is watched for longer than the command was told. */
export const patience = (seconds: number) => {
  const ending = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(timer)
  const start = () => {
    stop()
    timer = setTimeout(() => ending.abort(), seconds * 1000)
  }
  return { signal: ending.signal, start, stop }
}

export type Patience = ReturnType<typeof patience>
