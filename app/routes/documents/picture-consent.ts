import { redirect } from 'react-router'
import { z } from 'zod'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Problem } from '#server/domain/problem.ts'
import { decidePictureConsent } from '#server/features/verification/decide-picture-consent.ts'
import type { Route } from './+types/picture-consent'
import { documentRequest } from './document-request.ts'

/** An unmarked box is no consent, or withdraws it. */
const Fields = z.object({
  consent: z.literal('yes').optional(),
  /** The page that has the form, if it is not that of the document. */
  page: z.literal('sign').optional(),
})

/** A form posts here, of a user or an external signer; a GET redirects to the document. */
export const loader = ({ url }: Route.LoaderArgs) => redirect(pageOf(url))

/** Records whether a signer consents to pictures of the pages on the public page. */
export async function action({ request, params, url, context }: Route.ActionArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const form = await orErrorPage(readForm(request, context, Fields))
  await orErrorPage(decide())
  const isSigning = form.ok && form.value.page === 'sign'
  return redirect(isSigning ? `${pageOf(url)}/sign` : pageOf(url), {
    status: 303,
    headers: { 'Set-Cookie': flash('picture-consent-changed') },
  })

  async function decide() {
    if (!form.ok) throw new Problem('bad-request', 'no decision')
    const state = form.value.consent ? 'given' : 'withdrawn'
    return decidePictureConsent(system, actor, { documentId, state })
  }
}

const pageOf = (url: URL) => url.pathname.replace(/\/picture-consent$/, '')
