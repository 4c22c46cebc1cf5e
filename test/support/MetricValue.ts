/** What operators read of a running service. */
import type { RunningService } from "./Service.ts"

/** Zero where it was never counted; `series` is its name with its labels. */
export const metricValue = async (
  { opsUrl }: Pick<RunningService, "opsUrl">,
  series: string
): Promise<number> => {
  const text = await (await fetch(`${opsUrl}/metrics`)).text()
  const line = text.split("\n").find(each => each.startsWith(`${series} `))
  return line === undefined ? 0 : Number(line.slice(series.length + 1))
}
