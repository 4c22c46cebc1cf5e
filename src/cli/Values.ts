/** Contract values in words: names where the ABI has them, exact digits. */
import { isRecord } from "effect/Predicate"
import { zeroAddress } from "viem"
import { visible } from "../values/UntrustedText.ts"

interface Parameter {
  readonly name: string
  readonly type: string
  readonly components?: ReadonlyArray<Parameter>
}

const NATIVE_TOKEN = "0x000000000000000000000000000000000000eeee"

const scalar = ({ type }: Parameter, value: unknown): string => {
  const text = String(value)
  if (type !== "address")
    return type === "string" ? `"${visible(text, Number.POSITIVE_INFINITY).text}"` : text
  if (text.toLowerCase() === NATIVE_TOKEN) return `${text} (the native token)`
  return text === zeroAddress ? `${text} (no address)` : text
}

const memberOf = (value: unknown, { name }: Parameter, index: number): unknown => {
  if (Array.isArray(value)) return value[index]
  return isRecord(value) ? value[name] : undefined
}

const lines = (
  parameter: Parameter,
  value: unknown,
  label: string,
  margin: string
): ReadonlyArray<string> => {
  const element = /^(.*)\[[0-9]*\]$/.exec(parameter.type)?.[1]
  const heading = `${margin}${label}:`
  if (element !== undefined) {
    const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
    if (items.length === 0) return [`${heading} none`]
    const item = { ...parameter, type: element }
    return [heading, ...items.flatMap((member, index) => lines(item, member, `[${index}]`, `${margin}  `))]
  }
  if (parameter.components === undefined) return [`${heading} ${scalar(parameter, value)}`]
  return [
    heading,
    ...parameter.components.flatMap((component, index) =>
      lines(component, memberOf(value, component, index), component.name || `#${index}`, `${margin}  `)
    )
  ]
}

/** One line for each scalar, nested under the names of what holds it. */
export const namedValues = (
  parameters: ReadonlyArray<Parameter>,
  values: ReadonlyArray<unknown>,
  margin = ""
): string =>
  parameters
    .flatMap((parameter, index) => lines(parameter, values[index], parameter.name || `#${index}`, margin))
    .join("\n")
