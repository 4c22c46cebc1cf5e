/** Blocks at a pace, each asked for once the one before it was answered: a slow node is never buried under blocks that it owes. */
import { setTimeout as sleep } from "node:timers/promises"

export interface Mining {
  readonly stop: () => void
}

const BODY = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "evm_mine", params: [] })
const HEADERS = { "content-type": "application/json" }

export const startMining = (chainUrl: string, paceMillis: number): Mining => {
  let isOn = true
  const mineOne = () =>
    fetch(chainUrl, { method: "POST", headers: HEADERS, body: BODY }).then(
      answer => answer.text(),
      () => ""
    )
  const mineOn = async () => {
    while (isOn) await Promise.all([mineOne(), sleep(paceMillis)])
  }
  void mineOn()
  return {
    stop: () => {
      isOn = false
    }
  }
}
