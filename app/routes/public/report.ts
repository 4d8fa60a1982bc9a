import { actorContext, systemContext } from '#app/http/context.ts'
import { answeringFile } from '#app/http/file-answer.ts'
import { Problem } from '#server/domain/problem.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import type { Route } from './+types/report'
import { maskedReport } from './masked-report.ts'
import { reportAnswer, reportAsJson } from './report-answer.ts'

/** What the page of a document says, as a file. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { document, report, verifiedAt } = await answeringFile(find())
  const { isDemo } = system.settings
  const masked = maskedReport(report, `${document.folio}.pdf`)
  const json = reportAsJson(masked, { verifiedAt, isDemo })
  return reportAnswer(json, `dictamen ${document.folio}.json`, 'application/json')

  async function find() {
    const found = await readVerification(system, actor, { id: params.uuid })
    if (found.kind === 'not-found') throw new Problem('not-found', 'no signed document')
    return found
  }
}
