/** A bundle as a script, since the engine keeps the code that it compiles of scripts alone. */

/** Over several lines where it names many. */
const IMPORT = /^import ([^"';]+?) from ["'](.+?)["'];.*$/gm

/** Nobody imports from a program. */
const EXPORT = /^export \{[^}]*\};$/gm

const bindings = (clause: string): ReadonlyArray<string> => {
  const [, standard = "", named = ""] = /^([^{]*?),?\s*(\{[^}]*\})?$/.exec(clause) ?? []
  const whole = standard.replace(/^\* as /, "").trim()
  return [whole, named.replace(/ as /g, ": ")].filter(name => name !== "")
}

/** A module of an ESM bundle as an async function of what modules are given. */
export const scriptOf = (module: string): string => {
  const imports = [...module.matchAll(IMPORT)].flatMap(([, clause = "", from = ""]) =>
    bindings(clause).map(binding => `const ${binding} = bundledRequire(${JSON.stringify(from)});`)
  )
  const body = module
    .replace(/^#!.*\n/, "")
    .replace(IMPORT, "")
    .replace(EXPORT, "")
    .replace(/\bimport\.meta\.url\b/g, "bundledUrl")
    .replace(/\bimport\(/g, "bundledImport(")
  return `(async (bundledRequire, bundledUrl, bundledImport) => {${imports.join("")}const require = bundledRequire;${body}})`
}
