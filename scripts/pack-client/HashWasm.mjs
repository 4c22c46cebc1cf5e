/** Stands in for the package of this name: the same Keccak-256 without WebAssembly, written to be small. */

const RATE = 136
const ROUNDS = 24

/** By how many bits each lane turns, and where it goes. */
const MOVES = []
for (let t = 0, x = 1, y = 0; t < ROUNDS; t++) {
  const next = (2 * x + 3 * y) % 5
  x = y
  y = next
  MOVES.push([2 * (x + 5 * y), (((t + 1) * (t + 2)) / 2) % 64])
}

/** Low and high halves of each round's constant. */
const CONSTANTS = []
for (let round = 0, register = 1; round < ROUNDS; round++) {
  const halves = [0, 0]
  for (let j = 0; j < 7; j++) {
    const bit = 2 ** j - 1
    if (register & 1) halves[bit >> 5] ^= 1 << (bit & 31)
    register = (register << 1) ^ ((register >> 7) * 0x171)
  }
  CONSTANTS.push(halves)
}

/** The first of the halves that these two become, turned to the left by fewer than 32 bits. */
const turned = (first, second, bits) => (bits === 0 ? first : (first << bits) | (second >>> (32 - bits)))

const mix = state => {
  const columns = new Uint32Array(10)
  for (let i = 0; i < 50; i++) columns[i % 10] ^= state[i]
  for (let i = 0; i < 50; i++) {
    const [before, after] = [(i + 8) % 10, (i + 2) % 10]
    state[i] ^= columns[before] ^ turned(columns[after], columns[after ^ 1], 1)
  }
}

const move = state => {
  let [low, high] = [state[2], state[3]]
  for (const [to, bits] of MOVES) {
    const [first, second] = bits < 32 ? [low, high] : [high, low]
    const lane = [turned(first, second, bits % 32), turned(second, first, bits % 32)]
    low = state[to]
    high = state[to + 1]
    state.set(lane, to)
  }
}

const permute = state => {
  for (const [low, high] of CONSTANTS) {
    mix(state)
    move(state)
    for (let row = 0; row < 50; row += 10) {
      const lanes = state.slice(row, row + 10)
      for (let i = 0; i < 10; i++) state[row + i] ^= ~lanes[(i + 2) % 10] & lanes[(i + 4) % 10]
    }
    state[0] ^= low
    state[1] ^= high
  }
}

const keccak = bytes => {
  const padded = new Uint8Array((Math.floor(bytes.length / RATE) + 1) * RATE)
  padded.set(bytes)
  padded[bytes.length] ^= 1
  padded[padded.length - 1] ^= 128
  const words = new Uint32Array(padded.buffer)
  const state = new Uint32Array(50)
  for (let at = 0; at < words.length; at += RATE / 4) {
    for (let i = 0; i < RATE / 4; i++) state[i] ^= words[at + i]
    permute(state)
  }
  return new Uint8Array(state.buffer.slice(0, 32))
}

const hexOf = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("")

export const createKeccak = () => {
  let digest = new Uint8Array()
  const hasher = {
    init: () => hasher,
    update: bytes => {
      digest = keccak(bytes)
      return hasher
    },
    digest: form => (form === "binary" ? digest : hexOf(digest))
  }
  return hasher
}
