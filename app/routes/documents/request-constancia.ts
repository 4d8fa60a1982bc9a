import { redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  RequestConstancia,
  requestConstancia,
} from '#server/features/constancias/request-constancia.ts'
import type { Route } from './+types/request-constancia'

/** A form posts here; a GET redirects to the document. */
export const loader = ({ params }: Route.LoaderArgs) =>
  redirect(`/dashboard/documents/${encodeURIComponent(params.id)}`)

/** Requests a constancia over the current file. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  await orErrorPage(readForm(request, context, z.object({})))
  await orErrorPage(ask())
  return redirect(`/dashboard/documents/${params.id}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('constancia-requested') },
  })

  async function ask() {
    const input = RequestConstancia.safeParse({ documentId: params.id })
    if (!input.success) throw new Problem('not-found', 'no id of a document')
    return requestConstancia(system, actor, input.data)
  }
}
