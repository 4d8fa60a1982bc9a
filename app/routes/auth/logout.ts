import { redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { clearSessionCookies, clearSignInCookie } from '#app/http/cookies/session-cookies.ts'
import { readForm } from '#app/http/forms.ts'
import { refusalOf } from '#app/http/problems.ts'
import { signOut } from '#server/features/auth/sign-out.ts'
import type { Route } from './+types/logout'

/** A link to this address changes nothing. */
export const loader = () => redirectDocument('/dashboard')

/**
 * Ends the session and redirects to /login, even on failure, which is only logged. A form without this
 * session's token, which another site could have sent, ends nothing: /login redirects a live session onward
 * and a message says so.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const actor = context.get(actorContext)
  const form = await refusalOf(readForm(request, context, z.object({})))
  if (!form.ok && actor.kind === 'person')
    return redirectDocument('/login', {
      status: 303,
      headers: { 'Set-Cookie': flash('not-signed-out') },
    })
  try {
    await signOut(context.get(systemContext), actor)
  } catch (error) {
    console.error(error)
  }
  const headers = new Headers()
  for (const cookie of [...clearSessionCookies(), clearSignInCookie(), flash('signed-out')])
    headers.append('Set-Cookie', cookie)
  // Also clears cached pages, so that back navigation shows nothing.
  headers.append('Clear-Site-Data', '"cache", "storage"')
  return redirectDocument('/login', { status: 303, headers })
}
