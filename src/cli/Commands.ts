/** Every command, in the order of the help. */
import type { Command } from "./Command.ts"
import { accountEnroll } from "./commands/AccountEnroll.ts"
import { accountProfile } from "./commands/AccountProfile.ts"
import { accountShow } from "./commands/AccountShow.ts"
import { botCreate } from "./commands/BotCreate.ts"
import { botKey } from "./commands/BotKey.ts"
import { botList } from "./commands/BotList.ts"
import { botRevoke } from "./commands/BotRevoke.ts"
import { catalog } from "./commands/Catalog.ts"
import { completions } from "./commands/Completions.ts"
import { doctor } from "./commands/Doctor.ts"
import { indexCommand } from "./commands/Index.ts"
import { intentList } from "./commands/IntentList.ts"
import { intentPublish } from "./commands/IntentPublish.ts"
import { intentRecord } from "./commands/IntentRecord.ts"
import { intentShow } from "./commands/IntentShow.ts"
import { op } from "./commands/Op.ts"
import { operationList } from "./commands/OperationList.ts"
import { operationShow } from "./commands/OperationShow.ts"
import { operationSign } from "./commands/OperationSign.ts"
import { operationSubmit } from "./commands/OperationSubmit.ts"
import { operationWatch } from "./commands/OperationWatch.ts"
import { planCreate } from "./commands/PlanCreate.ts"
import { planList } from "./commands/PlanList.ts"
import { planRecord } from "./commands/PlanRecord.ts"
import { planShow } from "./commands/PlanShow.ts"
import { planSimulate } from "./commands/PlanSimulate.ts"
import { planSubmit } from "./commands/PlanSubmit.ts"
import { planSubmitAll } from "./commands/PlanSubmitAll.ts"
import { planWatch } from "./commands/PlanWatch.ts"
import { projectShow } from "./commands/ProjectShow.ts"
import { read } from "./commands/Read.ts"
import { request } from "./commands/Request.ts"
import { sessionActivate } from "./commands/SessionActivate.ts"
import { sessionList } from "./commands/SessionList.ts"
import { sessionPrepare } from "./commands/SessionPrepare.ts"
import { sessionQuota } from "./commands/SessionQuota.ts"
import { sessionReview } from "./commands/SessionReview.ts"
import { sessionRevoke } from "./commands/SessionRevoke.ts"
import { sessionShow } from "./commands/SessionShow.ts"
import { sessionUse } from "./commands/SessionUse.ts"
import { sponsor } from "./commands/Sponsor.ts"
import { sponsorList } from "./commands/SponsorList.ts"
import { sponsorShow } from "./commands/SponsorShow.ts"
import { verifyCommand } from "./commands/Verify.ts"
import { walletBind } from "./commands/WalletBind.ts"
import { walletCreate } from "./commands/WalletCreate.ts"
import { walletList } from "./commands/WalletList.ts"
import { walletManifests } from "./commands/WalletManifests.ts"
import { walletShow } from "./commands/WalletShow.ts"
import { walletSign } from "./commands/WalletSign.ts"
import { walletUnlink } from "./commands/WalletUnlink.ts"
import { verbCommand } from "./verbs/VerbCommand.ts"
import { verbs } from "./verbs/Verbs.ts"

export const commands: ReadonlyArray<Command> = [
  accountEnroll,
  accountShow,
  accountProfile,
  botCreate,
  botKey,
  botList,
  botRevoke,
  catalog,
  read,
  projectShow,
  op,
  indexCommand,
  ...verbs.map(verbCommand),
  planCreate,
  planList,
  planShow,
  planSimulate,
  planSubmit,
  planSubmitAll,
  planRecord,
  planWatch,
  sponsor,
  sponsorShow,
  sponsorList,
  walletManifests,
  walletCreate,
  walletBind,
  walletSign,
  walletList,
  walletShow,
  walletUnlink,
  operationList,
  operationShow,
  operationSign,
  operationSubmit,
  operationWatch,
  sessionReview,
  sessionPrepare,
  sessionActivate,
  sessionUse,
  sessionShow,
  sessionList,
  sessionQuota,
  sessionRevoke,
  intentPublish,
  intentShow,
  intentList,
  intentRecord,
  request,
  verifyCommand,
  doctor,
  completions(() => commands)
]
