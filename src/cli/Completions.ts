/** Scripts that complete commands and flags in a shell, made from what the commands declare. */
import type { Command } from "./Command.ts"
import { globalFlags } from "./Input.ts"

export const SHELLS = ["bash", "zsh", "fish"] as const

type Commands = ReadonlyArray<Command>

interface Named {
  readonly name: string
  readonly help: string
}

const flagsOf = ({ flags }: Command): ReadonlyArray<Named & { readonly value?: string }> =>
  [...flags, ...globalFlags].filter(({ name }, at, all) => all.findIndex(flag => flag.name === name) === at)

const firstWord = (name: string): string => name.replace(/ .*/, "")

/** Words with which several commands begin, and what comes after each. */
const groupsOf = (commands: Commands): ReadonlyMap<string, ReadonlyArray<Named>> => {
  const grouped = commands.filter(({ name }) => name.includes(" "))
  const after = (group: string): ReadonlyArray<Named> =>
    grouped
      .filter(({ name }) => firstWord(name) === group)
      .map(({ name, summary }) => ({ name: name.replace(/^\S+ /, ""), help: summary }))
  return new Map(grouped.map(({ name }) => [firstWord(name), after(firstWord(name))]))
}

const firstWords = (commands: Commands): ReadonlyArray<Named> => {
  const groups = [...groupsOf(commands)].map(([name, rest]) => ({
    name,
    help: rest.map(each => each.name).join(", ")
  }))
  const single = commands
    .filter(({ name }) => !groupsOf(commands).has(name) && !name.includes(" "))
    .map(({ name, summary }) => ({ name, help: summary }))
  return [...groups, ...single]
}

/** By the words that are named; a command that others begin with comes after those, whatever else is named. */
const cased = (commands: Commands): ReadonlyArray<readonly [pattern: string, command: Command]> => {
  const groups = groupsOf(commands)
  const each = commands.map(command => [`"${command.name}"`, command] as const)
  return [
    ...each.filter(([, { name }]) => !groups.has(name)),
    ...each
      .filter(([, { name }]) => groups.has(name))
      .map(([name, command]) => [`${name}*`, command] as const)
  ]
}

const words = (all: ReadonlyArray<Named>): string => all.map(({ name }) => name).join(" ")
const dashed = (all: ReadonlyArray<Named>): ReadonlyArray<Named> =>
  all.map(({ name, help }) => ({ name: `--${name}`, help }))

const bash = (commands: Commands): string => {
  const groups = [...groupsOf(commands)]
  return `_service() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" word known="" named=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || named+=("$word"); done
  local command="\${named[0]-}"
  case "$command" in ${groups.map(([name]) => name).join("|")}) command="$command \${named[1]-}" ;; esac
  if [[ $cur == -* ]]; then
    case "$command" in
${cased(commands)
  .map(([pattern, command]) => `      ${pattern}) known="${words(dashed(flagsOf(command)))}" ;;`)
  .join("\n")}
      *) known="--help --version" ;;
    esac
  elif ((\${#named[@]} == 0)); then
    known="${words(firstWords(commands))}"
  elif ((\${#named[@]} == 1)); then
    case "$command" in
${groups.map(([name, rest]) => `      "${name} ") known="${words(rest)}" ;;`).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$known" -- "$cur"))
}
complete -o default -F _service service`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const zshList = (all: ReadonlyArray<Named>): string =>
  all.map(({ name, help }) => quoted(`${name}:${help.replaceAll(":", "\\:")}`)).join(" ")

const zsh = (commands: Commands): string => {
  const groups = [...groupsOf(commands)]
  return `#compdef service
_service() {
  local -a named known
  named=(\${words[2,CURRENT-1]:#-*})
  local command="\${named[1]-}"
  case "$command" in (${groups.map(([name]) => name).join("|")}) command="$command \${named[2]-}" ;; esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    case "$command" in
${cased(commands)
  .map(([pattern, command]) => `      (${pattern}) known=(${zshList(dashed(flagsOf(command)))}) ;;`)
  .join("\n")}
      (*) known=(--help --version) ;;
    esac
    _describe -o flag known
  elif ((\${#named} == 0)); then
    known=(${zshList(firstWords(commands))})
    _describe command known
  elif ((\${#named} == 1)); then
    case "$command" in
${groups.map(([name, rest]) => `      ("${name} ") known=(${zshList(rest)}) ;;`).join("\n")}
      (*) _files; return ;;
    esac
    _describe command known
  else
    _files
  fi
}
compdef _service service`
}

const fishQuoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

const seen = (name: string): string =>
  name
    .split(" ")
    .map(word => `__fish_seen_subcommand_from ${word}`)
    .join("; and ")

const fish = (commands: Commands): string => {
  const line = (when: string, what: string, help: string) =>
    `complete -c service -n ${fishQuoted(when)} ${what} -d ${fishQuoted(help)}`
  const firsts = firstWords(commands).map(({ name, help }) =>
    line("__fish_use_subcommand", `-f -a ${name}`, help)
  )
  const seconds = [...groupsOf(commands)].flatMap(([group, rest]) =>
    rest.map(({ name, help }) =>
      line(`${seen(group)}; and not __fish_seen_subcommand_from ${words(rest)}`, `-f -a ${name}`, help)
    )
  )
  const flags = commands.flatMap(command =>
    flagsOf(command).map(({ name, help, value }) =>
      line(seen(command.name), `-l ${name}${value === undefined ? "" : " -r"}`, help)
    )
  )
  return [...firsts, ...seconds, ...flags].join("\n")
}

export const completionScript = (shell: (typeof SHELLS)[number], commands: Commands): string =>
  ({ bash, zsh, fish })[shell](commands)
