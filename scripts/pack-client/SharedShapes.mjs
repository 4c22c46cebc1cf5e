/** Declarations in which each shape stands once: what is repeated gets a name. */

const COMMENT = /\/\*\*[\s\S]*?\*\//g
const READONLY_MEMBER = /\breadonly (?=[\w$]+\??:|"[^"]*"\??:|\[\w+: )/g
const HEX = /`0x\$\{string\}`/g
const LITERALS = /"[^"]*"(?: \| "[^"]*"){3,}/g
const KNOWN = /^\{ status: "known"; value: (.*); \}$/
const UNKNOWN = /status: "unknown"; error: |error: .*status: "unknown"/

/** Before the shape stands the member that has it. */
const MEMBER = /(\w+)\??: (?:(?:<[^>]*>)?\([^()]*\) => )?(?:readonly |\w+<|\()*$/

/** Type parameters, which mean nothing outside the declaration that has them. */
const PARAMETER = /(?:[<,] ?(\w+) extends\b|\binfer (\w+))/g

const spaced = text => text.replace(/\s+/g, " ").trim()

/** Members in an order of their own, so that the same shape is found however it was written. */
const keyOf = shape => shape.slice(1, -1).split(";").map(spaced).sort().join(";")

class Shapes {
  comments = []
  byKey = new Map()
  all = []

  hidden(text) {
    return text.replace(COMMENT, comment => {
      const known = this.comments.indexOf(comment)
      return `\u0001${known < 0 ? this.comments.push(comment) - 1 : known}\u0001`
    })
  }

  idOf(text, key, hint) {
    const known = this.byKey.get(key)
    if (known !== undefined) return `#${known}#`
    const id = this.all.push({ text, hint, uses: 0 }) - 1
    this.byKey.set(key, id)
    return `#${id}#`
  }

  /** `a | b` of what is known and what is not. */
  observed(text) {
    return text.replace(/#(\d+)# \| #(\d+)#/g, (pair, left, right) => {
      for (const [one, other] of [
        [left, right],
        [right, left]
      ]) {
        const [, value] = KNOWN.exec(this.all[one].text) ?? []
        if (value !== undefined && UNKNOWN.test(this.all[other].text)) {
          this.unknown ??= Number(other)
          if (this.unknown === Number(other)) return `Observed<${value}>`
        }
      }
      return pair
    })
  }

  /** Every type literal and long union in the text by the number of its shape. */
  numbered(text) {
    const open = [""]
    for (const part of spaced(text).split(/([{}])/)) {
      if (part === "{") open.push("")
      else if (part === "}" && open.length > 1) {
        const inner = this.observed(`{${open.pop()}}`)
        const before = open.pop()
        const isShape = inner.includes(";")
        open.push(before + (isShape ? this.idOf(inner, keyOf(inner), MEMBER.exec(before)?.[1]) : inner))
      } else open[open.length - 1] += this.literals(part, open.at(-1))
    }
    return this.observed(open.join("{"))
  }

  literals(part, before) {
    return part.replace(LITERALS, (union, at) =>
      this.idOf(union, union, MEMBER.exec(before + part.slice(0, at))?.[1])
    )
  }
}

const TAKEN = Object.getOwnPropertyNames(globalThis)
const HELPERS = ["Hex", "Observed", "Unknown"]

/** From here on a repeated shape is worth a name. */
const LONG = 60

/** Of a member such as `calls`. */
const nameFor = (hint, taken) => {
  const base = hint === undefined ? "Shape" : hint[0].toUpperCase() + hint.slice(1)
  let name = base
  for (let at = 2; taken.has(name); at++) name = `${base}${at}`
  taken.add(name)
  return name
}

const REFERENCE = /#(\d+)#/g

const parametersIn = texts => {
  const names = texts.flatMap(text => [...text.matchAll(PARAMETER)].map(([, one, two]) => one ?? two))
  return new RegExp(`\\b(?:${[...new Set(names)].join("|")})\\b`)
}

/** A line for each member. */
const body = text => {
  let depth = 0
  const lines = [...text.slice(1, -1).trim()].map(letter => {
    if ("{([".includes(letter)) depth += 1
    if ("})]".includes(letter)) depth -= 1
    return letter === ";" && depth === 0 ? "\n " : letter
  })
  return `{\n  ${lines.join("").trimEnd()}\n}`
}

/** `interface` reads better than an alias, and is what an object's shape is. */
const declaration = (name, text) =>
  text.startsWith("{") ? `interface ${name} ${body(text)}` : `type ${name} = ${text};`

const headOf = text => /^((?:\u0001\d+\u0001\s*)?)(?:export )?(?:declare )?([\s\S]*)$/.exec(text)

const SHAPE_ALONE = /^type \w+ = #(\d+)#;$/

/** A statement with its shapes by their numbers. */
const entered = (shapes, name, statement) => {
  const plain = shapes.hidden(statement).replace(READONLY_MEMBER, "").replace(HEX, "Hex")
  const [, comment, rest] = headOf(plain)
  const opened = /^(interface|class) ([^{]*)\{/.exec(rest)
  const inner = opened === null ? rest : rest.slice(opened[0].length, rest.lastIndexOf("}"))
  const text = shapes.numbered(inner)
  return { name, comment, opened, text, shape: SHAPE_ALONE.exec(text)?.[1] }
}

/** How often each shape is named by another one, or by a statement. */
const countUses = (shapes, texts) => {
  const used = new Set()
  const count = text => {
    for (const [, id] of text.matchAll(REFERENCE)) {
      shapes.all[id].uses += 1
      if (used.has(id)) continue
      used.add(id)
      count(shapes.all[id].text)
    }
  }
  for (const text of texts) count(text)
  return [...used].map(Number).sort((a, b) => a - b)
}

/** The names of shapes: those that statements give them, and others for what is repeated and long. */
const namesOf = (shapes, entries, parameters, taken) => {
  const texts = entries.map(({ text }) => text)
  if (shapes.unknown !== undefined) texts.push(`#${shapes.unknown}#`)
  const used = countUses(shapes, texts)
  const named = new Map(shapes.unknown === undefined ? [] : [[shapes.unknown, "Unknown"]])
  for (const { name, shape } of entries)
    if (shape !== undefined && !named.has(Number(shape))) named.set(Number(shape), name)
  const inlined = text =>
    text.replace(REFERENCE, (_, id) => inlined(shapes.all[id].text)).replace(/"[^"]*"/g, "")
  for (const id of used) {
    const { uses, text, hint } = shapes.all[id]
    const isShared = uses > 1 && text.length > LONG && !parameters.test(inlined(text))
    if (isShared && !named.has(id)) named.set(id, nameFor(hint, taken))
  }
  return named
}

/** Texts with their shapes, by name or written out, and their comments. */
const writing = (shapes, named) => {
  const written = text =>
    text.replace(REFERENCE, (_, id) => named.get(Number(id)) ?? written(shapes.all[id].text))
  return text => written(text).replace(/\u0001(\d+)\u0001 ?/g, (_, at) => `\n${shapes.comments[at]}\n`)
}

/** `door` exports it under its own name where it is to be. */
const statementOf = (shapes, named, shown, { name, comment, opened, text, shape }, door) => {
  const about = `${comment === "" ? "" : `${shown(comment).trim()}\n`}${door}`
  if (shape !== undefined && named.get(Number(shape)) === name)
    return about + declaration(name, shown(shapes.all[shape].text))
  if (opened !== null) return `${about}${opened[1] === "class" ? "declare " : ""}${opened[0]}${shown(text)}}`
  return about + (/^(?:type|interface) /.test(text) ? "" : "declare ") + shown(text)
}

/** `declared`: statements by name; `names`: which of them are exported, and as what. */
export const sharedShapes = (declared, names) => {
  const shapes = new Shapes()
  const ownNames = new Set(declared.map(([name]) => name))
  const taken = new Set([...TAKEN, ...ownNames, ...names.map(({ given }) => given), ...HELPERS])
  const entries = declared.map(([name, statement]) => entered(shapes, name, statement))
  const named = namesOf(shapes, entries, parametersIn(declared.map(([, text]) => text)), taken)
  const shown = writing(shapes, named)
  const shared = [...named]
    .filter(([, name]) => !ownNames.has(name))
    .map(([id, name]) => declaration(name, shown(shapes.all[id].text)))
  const list = names.filter(({ own, given }) => own !== given).map(({ own, given }) => `${own} as ${given}`)
  const open = new Set(names.filter(({ own, given }) => own === given).map(({ own }) => own))
  const doorOf = ({ name }) => (open.has(name) ? "export " : "")
  return [
    `type Hex = \`0x\${string}\`;`,
    'type Observed<Value> = { status: "known"; value: Value } | Unknown;',
    ...shared,
    ...entries.map(entry => statementOf(shapes, named, shown, entry, doorOf(entry))),
    `export { ${list.join(", ")} };`,
    ""
  ].join("\n")
}
