/** What a probe within a process and the test outside say to each other. */
export interface Look {
  /** Of its listeners, from accept to close. */
  readonly sockets: number
  /** Everything that keeps its loop busy or waiting, but timers. */
  readonly handles: number
  /** The longest that its loop stood still since the last look. */
  readonly stallMillis: number
  /** What the whole process worked meanwhile: far less where others had the processor. */
  readonly stallCpuMillis: number
}

export const LOOK = { look: true } as const

export const isLook = (message: unknown): message is Look =>
  typeof message === "object" && message !== null && "stallMillis" in message
