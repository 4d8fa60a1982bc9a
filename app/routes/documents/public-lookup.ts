import { redirect } from 'react-router'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  SetPublicLookup,
  setPublicLookup,
} from '#server/features/verification/set-public-lookup.ts'
import type { Route } from './+types/public-lookup'
import { documentRequest } from './document-request.ts'

/** A form posts here; a GET redirects to the document. */
export const loader = ({ params }: Route.LoaderArgs) =>
  redirect(`/dashboard/documents/${encodeURIComponent(params.id)}`)

/** Switches the public look-up of a document on or off. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const form = await orErrorPage(readForm(request, context, SetPublicLookup.pick({ state: true })))
  await orErrorPage(set())
  return redirect(`/dashboard/documents/${documentId}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('public-lookup-changed') },
  })

  async function set() {
    if (!form.ok) throw new Problem('bad-request', 'no state')
    return setPublicLookup(system, actor, { documentId, state: form.value.state })
  }
}
