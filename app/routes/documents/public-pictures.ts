import { redirect } from 'react-router'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  SetPublicPictures,
  setPublicPictures,
} from '#server/features/verification/set-public-pictures.ts'
import type { Route } from './+types/public-pictures'
import { documentRequest } from './document-request.ts'

/** A form posts here; a GET redirects to the document. */
export const loader = ({ params }: Route.LoaderArgs) =>
  redirect(`/dashboard/documents/${encodeURIComponent(params.id)}`)

/** Shows the pages of a document on its public page, or hides them. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const form = await orErrorPage(
    readForm(request, context, SetPublicPictures.pick({ state: true })),
  )
  await orErrorPage(set())
  return redirect(`/dashboard/documents/${documentId}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('pictures-changed') },
  })

  async function set() {
    if (!form.ok) throw new Problem('bad-request', 'no state')
    return setPublicPictures(system, actor, { documentId, state: form.value.state })
  }
}
