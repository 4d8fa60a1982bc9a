import { redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { clearCookie } from '#app/http/cookies.ts'
import { flash } from '#app/http/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { answering } from '#app/http/problems.ts'
import { signOut } from '#server/features/auth/sign-out.ts'
import type { Route } from './+types/logout'

/** Whoever comes here by a link changes nothing. */
export const loader = () => redirectDocument('/dashboard')

/** Whether the session could be ended or not, the browser forgets it; a failure is only logged. */
export async function action({ request, context }: Route.ActionArgs) {
  await answering(readForm(request, context, z.object({})))
  try {
    await signOut(context.get(systemContext), context.get(actorContext))
  } catch (error) {
    console.error(error)
  }
  const headers = new Headers()
  headers.append('Set-Cookie', clearCookie('__Host-session'))
  headers.append('Set-Cookie', flash('signed-out'))
  return redirectDocument('/login', { status: 303, headers })
}
