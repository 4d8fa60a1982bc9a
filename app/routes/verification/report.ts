import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorText } from '#app/http/file-answer.ts'
import type { ReportText } from '#server/domain/signing/report-paper.ts'
import { laneOf } from '#server/features/verification/lane-of.ts'
import { mustBeComplete } from '#server/features/verification/must-be-complete.ts'
import {
  type PublicVerification,
  readVerification,
} from '#server/features/verification/read-verification.ts'
import type { Route } from './+types/report'
import { documentFacts } from './document-facts.ts'
import { maskedReport } from './masked-report.ts'
import { reportAnswer, reportAsJson } from './report-answer.ts'
import { reportAddress, reportText } from './report-text.ts'
import { isNotarial, verdictView } from './verdict-view.ts'

/** Downloads the verification report of a registered document. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const found = await orErrorText(find())
  const name = `informe ${found.document.folio}`
  const { settings, pdf } = laneOf(system, actor)
  if (url.pathname.endsWith('.pdf')) {
    const printed = await orErrorText(pdf.report(textOf(found, settings)))
    return reportAnswer(printed, `${name}.pdf`, 'application/pdf')
  }
  const masked = maskedReport(
    found.report,
    `${found.document.folio}.pdf`,
    (signature) => isNotarial(signature, found.characterOf),
    found.office.publicNames,
  )
  const json = reportAsJson(masked, {
    verifiedAt: found.verifiedAt,
    isDemo: settings.isDemo,
  })
  return reportAnswer(json, `${name}.json`, 'application/json')

  async function find() {
    return mustBeComplete(await readVerification(system, actor, { id: params.uuid }))
  }
}

function textOf(
  found: PublicVerification,
  { isDemo, publicOrigin }: { isDemo: boolean; publicOrigin: string },
): ReportText {
  const zone = found.office.timeZone
  const { characterOf } = found
  const names = found.office.publicNames
  const verdict = verdictView(found.report, { zone, isDemo, names, characterOf })
  const address = reportAddress(publicOrigin, found.document)
  return reportText(verdict, documentFacts(found), address)
}
