/** Whose key signed, by the curve's own arithmetic: of signatures that everybody may see, so nothing of it need take the same time. */

const P = 2n ** 256n - 2n ** 32n - 977n
const N = 2n ** 256n - 0x14551231950b75fc4402da1732fc9bebfn
const G = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n
]

const mod = (value, by = P) => ((value % by) + by) % by

const inverse = (value, by = P) => {
  let [a, b, x, y] = [mod(value, by), by, 1n, 0n]
  while (a > 1n) {
    const q = b / a
    ;[a, b, x, y] = [b - q * a, a, y - q * x, x]
  }
  return mod(x, by)
}

const root = value => {
  let [result, power] = [1n, value]
  for (let left = (P + 1n) / 4n; left > 0n; left >>= 1n) {
    if (left & 1n) result = mod(result * power)
    power = mod(power * power)
  }
  return result
}

/** Undefined is the point at infinity. */
const sum = (one, other) => {
  if (one === undefined || other === undefined) return one ?? other
  const [[x, y], [u, v]] = [one, other]
  if (x === u && y !== v) return undefined
  const slope = x === u ? 3n * x * x * inverse(2n * y) : (v - y) * inverse(u - x)
  const at = mod(slope * slope - x - u)
  return [at, mod(slope * (x - at) - y)]
}

const times = (point, by) => {
  let result
  for (let [left, power] = [by, point]; left > 0n; left >>= 1n, power = sum(power, power))
    if (left & 1n) result = sum(result, power)
  return result
}

/** The two words of the public key; throws where there is none. */
export const recovered = (hash, r, s, isOdd) => {
  const square = mod(r ** 3n + 7n)
  const y = root(square)
  if (r < 1n || r >= N || s < 1n || s >= N || mod(y * y) !== square) throw new RangeError("no signature")
  const point = [r, (y & 1n) === (isOdd ? 1n : 0n) ? y : P - y]
  const by = inverse(r, N)
  const key = sum(times(point, mod(s * by, N)), times(G, mod(-hash * by, N)))
  if (key === undefined) throw new RangeError("no key")
  return key
}
