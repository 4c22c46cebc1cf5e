/** Declarations as small as they may be: editors lay them out anew, and say of what a caller fills in what it is. */

/** What callers fill in; of all else the names have to do. */
const SPOKEN_OF = [
  ...["ClientOptions", "PublicOptions", "SubmitOptions", "SponsorOptions"],
  ...["WatchOptions", "Signer", "Keyed"]
]

const COMMENT = / ?\/\*\*[\s\S]*?\*\/\s*/g

export const spoken = ([name, text]) => [name, SPOKEN_OF.includes(name) ? text : text.replace(COMMENT, "")]

const STRING = /("[^"\n]*")/

const tightened = code =>
  code
    .replace(/([{};:,|]|=>) +/g, "$1")
    .replace(/ +([{}|]|=>)/g, "$1")
    .replace(/;\}/g, "}")

const tightenedLine = line =>
  line.includes("/*")
    ? line
    : line
        .split(STRING)
        .map((part, index) => (index % 2 === 0 ? tightened(part) : part))
        .join("")

export const compact = text =>
  text
    .split("\n")
    .map(line => tightenedLine(line.trim()))
    .join("\n")
