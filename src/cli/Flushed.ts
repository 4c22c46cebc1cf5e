/** What must outlast a power failure before anything is sent that rests on it. */
import { open, writeFile } from "node:fs/promises"

/** To the disk, whole. */
export const writeFlushed = (
  path: string,
  text: string,
  options: { readonly mode: number; readonly flag?: string }
) => writeFile(path, text, { ...options, flush: true })

/** That a file has its name there; Windows keeps that by itself, and opens no directory. */
export const placedFlushed = async <Placed>(directory: string, placing: Promise<Placed>): Promise<Placed> => {
  const placed = await placing
  if (process.platform === "win32") return placed
  const opened = await open(directory)
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
  return placed
}
