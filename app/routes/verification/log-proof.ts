import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorText } from '#app/http/file-answer.ts'
import { proveSigning } from '#server/features/verification/prove-signing.ts'
import type { Route } from './+types/log-proof'
import { reportAnswer } from './report-answer.ts'

/** Downloads the proof that the document's signatures are in the log, for independent checking. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { folio, proofs } = await orErrorText(proveSigning(system, actor, { id: params.uuid }))
  return reportAnswer(proofs, `bitácora ${folio}.tlog-proof`, 'text/plain; charset=utf-8')
}
