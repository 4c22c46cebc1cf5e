/** The client's declarations as one file that needs no other: from what the compiler wrote of `src/client`, and from the shapes that those name. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { compact, spoken } from "./Compact.mjs"
import { shapesOf } from "./Shapes.mjs"
import { sharedShapes } from "./SharedShapes.mjs"

const STARTS = /^(?:export |declare |interface |type |\/\*\*)/
const NAME = /^(?:export )?(?:declare )?(?:abstract )?(?:const|let|function|class|interface|type) (\w+)/m

/** Top-level statements, each with the comment before it. */
const statementsOf = text => {
  const statements = []
  let isComment = false
  for (const line of text.split("\n")) {
    if (STARTS.test(line) && !isComment) statements.push(line)
    else if (statements.length > 0) statements[statements.length - 1] += `\n${line}`
    isComment = /^(?:\/\*\*| \*)/.test(line)
  }
  return statements.map(each => each.trim().replace(/^(?:\/\*\*[\s\S]*?\*\/\s*)+(?=\/\*\*)/, ""))
}

const IMPORT = /^(?:import|export) (?:type )?\{([^}]*)\} from "(\.\.\/[^"]+)";$/gm
const INLINE = /import\("(\.\.\/[^"]+)"\)\.(\w+)/g
const INLINE_OWN = /import\("\.\/[^"]+"\)\.(\w+)/g

/** Names of other rooms, with their modules. */
const outsideOf = text => {
  const named = [...text.matchAll(IMPORT)].flatMap(([, names, from]) =>
    names.split(",").map(name => [name.trim().replace(/^type /, ""), from])
  )
  return [...named, ...[...text.matchAll(INLINE)].map(([, from, name]) => [name, from])]
}

const withoutComments = text => text.replace(/\/\*[\s\S]*?\*\//g, "")

const wordsIn = text =>
  new Set(
    withoutComments(text)
      .replace(/"[^"]*"/g, "")
      .match(/[A-Za-z_$][\w$]*/g)
  )

/** What `main` passes on: own name and the name it is given. */
const passedOn = main =>
  [...main.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)].flatMap(([, names]) =>
    names
      .split(",")
      .map(name => name.trim().replace(/^type /, ""))
      .filter(name => name !== "")
      .map(name => {
        const [own, given = own] = name.split(" as ")
        return { own, given }
      })
  )

/** A value is only meant where its type is asked for; the same word may be that of a member. */
const isMeant = (word, text) => /^[A-Z]/.test(word) || text.includes(`typeof ${word}`)

const reachable = (declared, wanted) => {
  const reached = new Set(wanted)
  for (const name of reached)
    for (const word of wordsIn(declared.get(name) ?? ""))
      if (declared.has(word) && isMeant(word, declared.get(name))) reached.add(word)
  return reached
}

const SPECIAL = ["Register", "PlanRegister", "EntityName", "EntityRow", "EntityRows", "Hex"]

const isPlain = text => !/^import |^export (?:type )?\{/.test(text)

/** `prepare_pay` as `PreparePay`. */
const titled = id => id.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())

const aliasesOf = register =>
  [...register.matchAll(/\b(prepare_\w+): \{ input: /g)].flatMap(([, id]) => [
    [`${titled(id)}Input`, `type ${titled(id)}Input = PlanOperationInput<"${id}">;`],
    [`${titled(id)}Summary`, `type ${titled(id)}Summary = PlanSummary<"${id}">;`]
  ])

/** What the compiler writes of `src/client`, by the names of its files. */
const written = (root, directory) => {
  const tsconfig = {
    extends: join(root, "tsconfig.client.json"),
    compilerOptions: { rootDir: root, outDir: directory },
    include: ["src/client/main.ts", "src/signatures/bindings.d.ts"].map(path => join(root, path))
  }
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(tsconfig))
  const compiler = join(root, "node_modules/typescript/bin/tsc")
  execFileSync(process.execPath, [compiler, "--singleThreaded", "-p", directory], {
    cwd: root,
    stdio: "inherit"
  })
  const client = join(directory, "src/client")
  const files = readdirSync(client).filter(name => name.endsWith(".d.ts"))
  return new Map(files.map(name => [name, readFileSync(join(client, name), "utf8")]))
}

export const clientDeclarations = root => {
  mkdirSync(join(root, "dist"), { recursive: true })
  const directory = mkdtempSync(join(root, "dist", "client-types-"))
  try {
    return declarationsOf(root, directory, written(root, directory))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const declarationsOf = (root, directory, files) => {
  const texts = [...files.values()]
  const outside = new Map(texts.flatMap(outsideOf))
  const schemas = new Set(
    texts.flatMap(text => [...text.matchAll(/\btypeof (\w+)\.Encoded\b/g)].map(([, name]) => name))
  )
  const exported = passedOn(files.get("main.d.ts"))
  const ownNames = new Map(exported.map(({ own, given }) => [given, own]))
  const flat = text =>
    text
      .replace(INLINE, "$2")
      .replace(INLINE_OWN, (_, name) => ownNames.get(name) ?? name)
      .replace(/\btypeof (\w+)\.Encoded\b/g, "$1")
  const declared = new Map(
    texts
      .flatMap(statementsOf)
      .filter(text => isPlain(text) && NAME.test(withoutComments(text).trim()))
      .map(text => [NAME.exec(withoutComments(text).trim())[1], flat(text)])
  )
  const withOutside = new Map([...declared, ...[...outside.keys()].map(name => [name, ""])])
  const needed = reachable(
    withOutside,
    exported.map(({ own }) => own)
  )
  const roots = [...outside]
    .filter(([name]) => needed.has(name) && !SPECIAL.includes(name))
    .map(([name, from]) => ({
      name,
      from: from.replace("../", "../../src/"),
      meant: schemas.has(name) ? `typeof ${name}.Encoded` : name
    }))
  const shapes = shapesOf(root, directory, roots)
  const aliases = new Map(aliasesOf(shapes.get("PlanRegister")))
  const all = new Map([...declared, ...shapes, ...aliases])
  const names = [...exported, ...[...aliases.keys()].map(own => ({ own, given: own }))]
  const kept = reachable(
    all,
    names.map(({ own }) => own)
  )
  const spelled = sharedShapes([...all].filter(([name]) => kept.has(name)).map(spoken), names)
  return compact(spelled)
}
