import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { noStore } from '#app/http/page-headers.ts'
import { orErrorPage, refusalOf, refusalOnPage } from '#app/http/problems.ts'
import { refusalSentence } from '#app/http/refusal-sentence.ts'
import { safeReturnUrl } from '#app/http/return-url.ts'
import { shownTime } from '#app/http/shown-time.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { MOST_PRESENT } from '#server/domain/signing/presence.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { provePresence } from '#server/features/presence/prove-presence.ts'
import { readPresence } from '#server/features/presence/read-presence.ts'
import type { Route } from './+types/presence'
import css from './presence.module.css'
import { PresenceForm } from './presence-form.ts'
import { PresenceDocuments, PresenceForms } from './presence-forms.tsx'
import { presenceView } from './presence-view.ts'

export const handle = { label: 'Confirme su presencia' }

export const meta: Route.MetaFunction = () => [{ title: 'Confirme su presencia · Rúbrica' }]

export const headers = noStore

const DocumentIds = z.array(DocumentId).min(1).max(MOST_PRESENT)

/**
 * The path names one document, the query parameter `document` the others of a batch; the proof covers all
 * of them. `returnUrl` is the page of the signing form.
 */
export async function loader({ url, params, context }: Route.LoaderArgs) {
  const view = await orErrorPage(read())
  const back = returnPath(url, params.id, context)
  if (!view.isNeeded) throw redirect(back)
  return { ...presenceView(view), id: params.id, back, setup: setupOf(url) }

  async function read() {
    const input = DocumentIds.safeParse([params.id, ...url.searchParams.getAll('document')])
    if (!input.success) throw new Problem('not-found', 'no ids of documents')
    const documentIds = input.data
    return readPresence(context.get(systemContext), context.get(actorContext), { documentIds })
  }
}

function returnPath(url: URL, id: string, context: Route.LoaderArgs['context']): string {
  const { publicOrigin } = context.get(systemContext).settings
  const form = `/dashboard/documents/${id}/sign`
  return safeReturnUrl(url.searchParams.get('returnUrl'), publicOrigin, form)
}

const setupOf = ({ pathname, search }: URL) =>
  `/setup-mfa?returnUrl=${encodeURIComponent(pathname + search)}`

type Answer = { refusal?: string; errors?: FormErrors }

export async function action({ request, url, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await refusalOf(readForm(request, context, PresenceForm))
  if (!form.ok) return data<Answer>({ refusal: form.sentence }, form.init)
  if (!form.value.ok) return data<Answer>({ errors: form.value.errors }, 422)
  const proof = form.value.value

  const answer = await refusalOnPage(provePresence(system, actor, proof))
  if (!answer.ok) return data<Answer>({ refusal: answer.sentence }, answer.init)
  const outcome = answer.value
  if (outcome.kind === 'refused') {
    const office = await refusalOf(readOffice(system, actor))
    const serverTime = shownTime(outcome.serverTime, office.ok ? office.value.timeZone : undefined)
    const refusal = refusalSentence(proof.method, { ...outcome, serverTime })
    return data<Answer>({ refusal }, 422)
  }
  return redirect(returnPath(url, params.id, context), {
    status: 303,
    headers: { 'Set-Cookie': flash('presence-proven') },
  })
}

export default function Presence({ loaderData: view, actionData }: Route.ComponentProps) {
  const { refusal, errors }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Confirme su presencia"
        lead={
          <PageLink to={`/dashboard/documents/${view.id}`}>Volver al documento sin firmar</PageLink>
        }
      />
      <div className={css.sheets}>
        <p className={css.lead}>
          Su notaría pide comprobar que usted está frente a esta pantalla antes de firmar. Vale{' '}
          {view.minutes} minutos para lo que se muestra abajo, tal como está ahora. Queda guardado
          como evidencia; no es una firma electrónica ni sustituye a su e.firma.
        </p>
        {refusal && <Notice tone="bad">{refusal}</Notice>}
        <PresenceForms view={view} errors={errors} />
        <PresenceDocuments view={view} />
      </div>
    </>
  )
}
