import { data } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { csrfTokenFor } from '#app/http/csrf.ts'
import type { PageHandle } from '#app/http/page-handle.ts'
import { orErrorPage } from '#app/http/problems.ts'
import {
  type FoundVerification,
  readVerification,
} from '#server/features/verification/read-verification.ts'
import type { Route } from './+types/verify'
import { documentFacts, unfinishedFacts } from './document-facts.ts'
import { LookupForms } from './lookup-forms.tsx'
import { ReportLinks } from './report-links.tsx'
import { VerdictSheet } from './verdict-sheet.tsx'
import { notFoundView, unfinishedView, verdictView } from './verdict-view.ts'
import css from './verify.module.css'

export const handle: PageHandle = { isShared: true }

export const meta: Route.MetaFunction = () => [{ title: 'Verificación de documento · Rúbrica' }]

export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex' })

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { isDemo } = system.settings
  const found = await orErrorPage(readVerification(system, actor, { id: params.uuid }))
  if (found.kind === 'not-found') {
    const verdict = notFoundView(isDemo)
    // Only this answer has a form.
    return data({ ...NOTHING, verdict, csrf: csrfTokenFor(context) }, 404)
  }
  if (found.kind === 'unfinished')
    return data({
      ...{ ...NOTHING, verdict: unfinishedView(found, isDemo) },
      ...{ facts: unfinishedFacts(found), isKnown: true },
    })
  return data(shownOf(found, isDemo))
}

const NOTHING = {
  ...{ facts: [], isKnown: false, id: null },
  ...{ hasReports: false, hasLogProof: false, hasPictures: false },
}

/* Caches the texts of a verdict: many readers of one code get the same. */
const shown = new WeakMap<FoundVerification, ReturnType<typeof show>>()

function shownOf(found: FoundVerification, isDemo: boolean) {
  const page = shown.get(found) ?? show(found, isDemo)
  shown.set(found, page)
  return page
}

function show(found: FoundVerification, isDemo: boolean) {
  const { timeZone: zone, publicNames: names, publicDownloads } = found.office
  const verdict = verdictView(found.report, {
    ...{ zone, isDemo, names },
    characterOf: found.characterOf,
  })
  const { hasPictures } = found
  const hasLogProof = found.log.kind === 'proven'
  return {
    verdict,
    facts: documentFacts(found),
    isKnown: true,
    id: found.document.id,
    hasReports: publicDownloads === 'allowed',
    hasLogProof,
    hasPictures,
  }
}

export default function Verify({ loaderData }: Route.ComponentProps) {
  const { verdict, facts, isKnown, id, hasReports, hasLogProof, hasPictures } = loaderData
  return (
    <div className={css.page}>
      <h1>Verificación de documento</h1>
      <VerdictSheet verdict={verdict} facts={facts} />
      {id && <ReportLinks {...{ id, hasReports, hasLogProof, hasPictures }} />}
      {!isKnown && <LookupForms />}
    </div>
  )
}
