import { actorContext, systemContext } from '#app/http/context.ts'
import { mustBeOurForm } from '#app/http/csrf.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { discardUpload } from '#server/features/documents/discard-upload.ts'
import type { Route } from './+types/discard'
import { notAPage, uploadAnswer, uploadIdIn } from './answer.ts'

/** Deletes what is here of a file that the user took out of the list. */
export function action({ request, params, context }: Route.ActionArgs) {
  return uploadAnswer(discard())

  async function discard(): Promise<Response> {
    const actor = context.get(actorContext)
    mustBeSignedIn(actor)
    mustBeOurForm(request, context, undefined)
    await discardUpload(context.get(systemContext), actor, uploadIdIn(params))
    return Response.json({ kind: 'discarded' })
  }
}

export const loader = notAPage
