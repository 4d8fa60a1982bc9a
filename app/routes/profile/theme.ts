import { redirect } from 'react-router'
import { z } from 'zod'
import { systemContext } from '#app/http/context.ts'
import { setCookie, Theme } from '#app/http/cookies/cookies.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { refusalOf } from '#app/http/problems.ts'
import { pageBefore, safeReturnUrl } from '#app/http/return-url.ts'
import type { Route } from './+types/theme'

const ChooseTheme = z.object({ theme: Theme, returnUrl: z.string().optional() })

const YEAR_SECONDS = 31_536_000

export const loader = () => redirect('/')

/** Stores the theme in a cookie and returns to the page of the form, with a message if refused. */
export async function action({ request, context }: Route.ActionArgs) {
  const answer = await refusalOf(readForm(request, context, ChooseTheme))
  const { publicOrigin } = context.get(systemContext).settings
  const chosen = answer.ok && answer.value.ok ? answer.value.value : undefined
  // No field of a refused form is trusted.
  const returnTo = chosen ? chosen.returnUrl : pageBefore(request, publicOrigin)
  return redirect(safeReturnUrl(returnTo, publicOrigin, '/'), {
    status: 303,
    headers: {
      'Set-Cookie': chosen
        ? setCookie('__Host-theme', chosen.theme, YEAR_SECONDS)
        : flash('theme-not-saved'),
    },
  })
}
