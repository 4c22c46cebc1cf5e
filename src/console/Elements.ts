/** Elements from names and texts: no text ever becomes markup. */
export type Child = Node | string | undefined | ReadonlyArray<Child>

type Attributes = Readonly<Record<string, string>>

const flat = (child: Child): ReadonlyArray<Node | string> => {
  if (child === undefined) return []
  return typeof child === "string" || child instanceof Node ? [child] : child.flatMap(flat)
}

export const el = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  ...children: ReadonlyArray<Child>
): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  element.append(...children.flatMap(flat))
  return element
}

export const paragraph = (...children: ReadonlyArray<Child>): HTMLElement => el("p", {}, ...children)

export const button = (text: string, act: () => void, kind = "plain"): HTMLButtonElement => {
  const element = el("button", { type: "button", class: kind }, text)
  element.addEventListener("click", act)
  return element
}

export interface FormField {
  readonly view: HTMLElement
  readonly value: () => string
}

let fields = 0

const labelled = (label: string, input: HTMLInputElement | HTMLTextAreaElement): FormField => {
  input.id = `field-${++fields}`
  return {
    view: el("div", { class: "field" }, el("label", { for: input.id }, label), input),
    value: () => input.value.trim()
  }
}

const BARE = { autocomplete: "off", spellcheck: "false" }

export const field = (
  label: string,
  value: string,
  changed: () => void,
  attributes: Attributes = {}
): FormField => {
  const input = el("input", { value, type: "text", ...BARE, ...attributes })
  input.addEventListener("input", changed)
  return labelled(label, input)
}

export const textArea = (label: string, value: string, attributes: Attributes = {}): FormField =>
  labelled(label, el("textarea", { rows: "4", ...BARE, ...attributes }, value))
