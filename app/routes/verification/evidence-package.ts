import { actorContext, systemContext } from '#app/http/context.ts'
import { archiveAnswer, orErrorText } from '#app/http/file-answer.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  BuildEvidencePackage,
  buildEvidencePackage,
} from '#server/features/evidence/build-evidence-package.ts'
import type { Printing } from '#server/features/evidence/package-contents.ts'
import type { Route } from './+types/evidence-package'
import { documentFacts } from './document-facts.ts'
import { reportAsJson } from './report-answer.ts'
import { reportAddress, reportText } from './report-text.ts'
import { verdictView } from './verdict-view.ts'

/**
 * Downloads the evidence package of a document for its office, with the verdict as its public page words
 * it.
 */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const system = context.get(systemContext)
  const built = await orErrorText(build())
  return archiveAnswer(request, `evidencia ${built.folio}.zip`, built)

  async function build() {
    const input = BuildEvidencePackage.safeParse({ documentId: params.id })
    if (!input.success) throw new Problem('not-found', 'no id of a document')
    const actor = context.get(actorContext)
    const print = printingFor(system.settings)
    return buildEvidencePackage(system, actor, input.data, print, request.signal)
  }
}

/** The package contains the document with its names, so nothing is masked. */
const printingFor =
  ({ isDemo, publicOrigin }: { isDemo: boolean; publicOrigin: string }): Printing =>
  (subject) => {
    const { office, document, report, verifiedAt } = subject
    const verdict = verdictView(report, { zone: office.timeZone, isDemo, names: 'whole' })
    return {
      text: reportText(verdict, documentFacts(subject), reportAddress(publicOrigin, document)),
      json: reportAsJson(report, { verifiedAt, isDemo }),
    }
  }
