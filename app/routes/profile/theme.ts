import { redirect } from 'react-router'
import { z } from 'zod'
import { systemContext } from '#app/http/context.ts'
import { setCookie, Theme } from '#app/http/cookies.ts'
import { readForm } from '#app/http/forms.ts'
import { answering } from '#app/http/problems.ts'
import { safeReturnUrl } from '#app/http/return-url.ts'
import type { Route } from './+types/theme'

const ChooseTheme = z.object({ theme: Theme, returnUrl: z.string().optional() })

const YEAR_SECONDS = 31_536_000

export const loader = () => redirect('/')

/** Keeps the theme in this browser and goes back to the page on which it was chosen. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await answering(readForm(request, context, ChooseTheme))
  const { publicOrigin } = context.get(systemContext).settings
  const wanted = form.ok ? form.value.returnUrl : undefined
  const headers = form.ok
    ? { 'Set-Cookie': setCookie('__Host-theme', form.value.theme, YEAR_SECONDS) }
    : undefined
  return redirect(safeReturnUrl(wanted, publicOrigin, '/'), {
    status: 303,
    ...(headers && { headers }),
  })
}
