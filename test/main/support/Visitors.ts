/** Clients that ask without a pause, on connections that they keep and on new ones, and note what became of each request. */
import { Agent, request } from "node:http"

export interface Visits {
  /** How many answers there were of each status. */
  readonly answers: ReadonlyMap<number, number>
  /** The codes of the requests that got none. */
  readonly failures: ReadonlyArray<string>
}

export interface Visitors extends Visits {
  /** Lets each of them take its last answer. */
  readonly leave: () => Promise<Visits>
}

const KEEPING = 4
const NEW = 2

const visit = (url: string, agent: Agent | false): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { agent }, response => {
      response.resume().on("error", reject)
      response.on("end", () => resolve(response.statusCode ?? 0))
    })
    asked.on("error", reject).end()
  })

export const startVisitors = (url: string): Visitors => {
  const answers = new Map<number, number>()
  const failures: Array<string> = []
  const kept = new Agent({ keepAlive: true, maxSockets: KEEPING })
  let isOver = false
  const goOn = async (agent: Agent | false) => {
    while (!isOver) {
      try {
        const status = await visit(url, agent)
        answers.set(status, (answers.get(status) ?? 0) + 1)
      } catch (cause) {
        failures.push(String(Object(cause).code))
      }
      await new Promise(resolve => setTimeout(resolve, 2))
    }
  }
  const all = Array.from({ length: KEEPING + NEW }, (_, index) => goOn(index < KEEPING ? kept : false))
  const leave = async () => {
    isOver = true
    await Promise.all(all)
    kept.destroy()
    return { answers, failures }
  }
  return { answers, failures, leave }
}

/** A connection that is kept: how its latest answer leaves it. */
export const startGuest = (url: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const asked = request(url, { agent }, response => {
        response.resume().on("error", reject)
        response.on("end", () => resolve(response.headers.connection ?? ""))
      })
      asked.on("error", reject).end()
    })
  return { ask, leave: () => agent.destroy() }
}
