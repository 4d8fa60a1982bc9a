import { redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { isProblem } from '#server/domain/problem.ts'
import { discardUpload } from '#server/features/documents/discard-upload.ts'
import type { Route } from './+types/unfinished-upload'
import { uploadIdIn } from './uploads/answer.ts'

const PAGE = '/dashboard/documents/new'

/** A form posts here; a GET redirects to the page with the list. */
export const loader = () => redirect(PAGE)

/** Deletes what is here of an unfinished upload. One that is gone was discarded, or its time was over. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  await orErrorPage(readForm(request, context, z.object({})))
  await orErrorPage(discard())
  return redirect(PAGE, { status: 303, headers: { 'Set-Cookie': flash('upload-discarded') } })

  async function discard(): Promise<void> {
    try {
      await discardUpload(system, actor, uploadIdIn(params))
    } catch (error) {
      if (!isProblem(error, 'not-found')) throw error
    }
  }
}
