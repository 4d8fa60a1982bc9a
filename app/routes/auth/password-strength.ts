import { data } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readForm } from '#app/http/forms.ts'
import { refusalOf } from '#app/http/problems.ts'
import {
  RatePasswordStrength,
  ratePasswordStrength,
} from '#server/features/auth/rate-password-strength.ts'
import { sentenceOfRating } from '#server/words/password.ts'
import type { Route } from './+types/password-strength'

const Word = z.string().max(300)
const Form = z.object({
  password: RatePasswordStrength.shape.password,
  code: RatePasswordStrength.shape.code,
  words: z.union([Word.transform((word) => [word]), z.array(Word).max(20)]).optional(),
})

const HEADERS = { 'Cache-Control': 'no-store' }

export const loader = () => new Response(null, { status: 405, headers: { Allow: 'POST' } })

/** Returns the strength of the password in the page's form. The password is neither stored nor logged. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await refusalOf(readForm(request, context, Form))
  if (!form.ok)
    return data({ sentence: form.sentence }, { status: form.init.status, headers: HEADERS })
  if (!form.value.ok) return data({ sentence: '' }, { status: 422, headers: HEADERS })
  const rated = await refusalOf(
    ratePasswordStrength(context.get(systemContext), context.get(actorContext), form.value.value),
  )
  if (!rated.ok)
    return data(
      { sentence: rated.sentence },
      { status: rated.init.status, headers: { ...rated.init.headers, ...HEADERS } },
    )
  const { score } = rated.value
  return data({ score, sentence: sentenceOfRating(rated.value) }, { headers: HEADERS })
}
