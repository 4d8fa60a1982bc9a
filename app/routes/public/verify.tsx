import { data } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { answering } from '#app/http/problems.ts'
import { documentKinds } from '#app/messages.ts'
import { formatInstant } from '#server/domain/time.ts'
import {
  type PublicVerification,
  readVerification,
} from '#server/features/verification/read-verification.ts'
import type { Route } from './+types/verify'
import { LookupForms } from './lookup-forms.tsx'
import { ReportLinks } from './report-links.tsx'
import { VerdictSheet } from './verdict-sheet.tsx'
import { fileFacts, type NamedFact, notFoundView, verdictView } from './verdict-view.ts'
import css from './verify.module.css'

export const meta: Route.MetaFunction = () => [{ title: 'Verificación de documento · Rúbrica' }]

export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex' })

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { isDemo } = system.settings
  const found = await answering(readVerification(system, actor, { id: params.uuid }))
  if (found.kind === 'not-found')
    return data({ verdict: notFoundView(isDemo), facts: [], isFound: false, id: '' }, 404)
  const { timeZone: zone } = found.office
  const verdict = verdictView(found.report, { zone, isDemo, names: 'masked' })
  return data({ verdict, facts: factsOf(found), isFound: true, id: found.document.id })
}

/* Neither title nor file name: they may tell of whom the document speaks. */
function factsOf({ document, office, report, verifiedAt }: PublicVerification): NamedFact[] {
  return [
    { name: 'Tipo', value: documentKinds[document.kind] },
    { name: 'Folio', value: document.folio },
    { name: 'Notaría', value: office.name },
    { name: 'Código de verificación', value: document.verificationCode },
    { name: 'Firmado', value: formatInstant(document.stateSince, office.timeZone) },
    { name: 'Dictamen del', value: formatInstant(verifiedAt, office.timeZone) },
    ...fileFacts(report),
  ]
}

export default function Verify({ loaderData }: Route.ComponentProps) {
  const { verdict, facts, isFound, id } = loaderData
  return (
    <div className={css.page}>
      <h1>Verificación de documento</h1>
      <VerdictSheet verdict={verdict} facts={facts} />
      {isFound ? <ReportLinks id={id} /> : <LookupForms />}
    </div>
  )
}
