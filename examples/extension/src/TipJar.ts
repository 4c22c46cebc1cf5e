/** The jar: its ABI as it was compiled, and where it stands. */
import { readFileSync } from "node:fs"
import type { AddedContract } from "signed-request-service/service"

export const TIP_JAR = "tip-jar:contracts/TipJar.sol:TipJar"

const compiled = JSON.parse(readFileSync(new URL("../../contracts/TipJar.json", import.meta.url), "utf8"))

export const creationCode: `0x${string}` = compiled.bytecode

/** A file of deployments, for the jar stands elsewhere on each chain. */
const deployments = (file: string | undefined): AddedContract["deployments"] =>
  file === undefined ? [] : JSON.parse(readFileSync(file, "utf8"))

export const tipJar: AddedContract = {
  id: TIP_JAR,
  version: "1.0.0",
  abi: compiled.abi,
  deployments: deployments(process.env.TIP_JAR_DEPLOYMENTS)
}
