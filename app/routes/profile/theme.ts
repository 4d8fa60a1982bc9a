import { redirect } from 'react-router'
import { z } from 'zod'
import { systemContext } from '#app/http/context.ts'
import { setCookie, Theme } from '#app/http/cookies.ts'
import { flash } from '#app/http/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { refusalOf } from '#app/http/problems.ts'
import { pageBefore, safeReturnUrl } from '#app/http/return-url.ts'
import type { Route } from './+types/theme'

const ChooseTheme = z.object({ theme: Theme, returnUrl: z.string().optional() })

const YEAR_SECONDS = 31_536_000

export const loader = () => redirect('/')

/**
 * Keeps the theme in this browser and goes back to the page on which it was chosen; after a refusal it goes
 * back as well, and says so there.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const answer = await refusalOf(readForm(request, context, ChooseTheme))
  const { publicOrigin } = context.get(systemContext).settings
  const chosen = answer.ok && answer.value.ok ? answer.value.value : undefined
  // Nothing in a refused form is believed.
  const wanted = chosen ? chosen.returnUrl : pageBefore(request, publicOrigin)
  return redirect(safeReturnUrl(wanted, publicOrigin, '/'), {
    status: 303,
    headers: {
      'Set-Cookie': chosen
        ? setCookie('__Host-theme', chosen.theme, YEAR_SECONDS)
        : flash('theme-not-saved'),
    },
  })
}
