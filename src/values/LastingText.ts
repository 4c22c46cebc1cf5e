/** The JSON text of values that never change, made when it is first asked for and then kept. */
const texts = new WeakMap<object, string | undefined>()

/** Says that a value will never change, in any of its members. */
export const lasting = <A extends object>(value: A): A => {
  texts.set(value, undefined)
  return value
}

export const isLasting = (value: object): boolean => texts.has(value)

const textOf = (value: unknown): string | undefined => {
  if (typeof value !== "object" || value === null || !texts.has(value)) return JSON.stringify(value)
  const text = texts.get(value) ?? JSON.stringify(value)
  texts.set(value, text)
  return text
}

const listText = (values: ReadonlyArray<unknown>): string =>
  `[${values.map(value => textOf(value) ?? "null").join(",")}]`

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** `JSON.stringify` of a record whose members, or their elements, may be lasting. */
export const lastingJson = (value: unknown): string => {
  if (!isPlainObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = Array.isArray(member) ? listText(member) : textOf(member)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${members.join(",")}}`
}
