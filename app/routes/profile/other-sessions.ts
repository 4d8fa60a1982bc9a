import { redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { orStepUpPage } from '#app/http/step-up.ts'
import { endOtherSessions } from '#server/features/auth/end-other-sessions.ts'
import type { Route } from './+types/other-sessions'

/** A link to this address changes nothing. */
export const loader = () => redirect('/dashboard/profile')

/** Ends all other sessions of the user. */
export async function action({ request, url, context }: Route.ActionArgs) {
  await orErrorPage(readForm(request, context, z.object({})))
  const ending = endOtherSessions(context.get(systemContext), context.get(actorContext))
  await orStepUpPage({ request, context, url }, ending)
  return redirect('/dashboard/profile', {
    status: 303,
    headers: { 'Set-Cookie': flash('sessions-ended') },
  })
}
