import { data } from 'react-router'
import { KEPT_PATH, keepFormOfPage } from '#app/http/kept-form.ts'
import { refusalOf } from '#app/http/problems.ts'
import type { Route } from './+types/keep-form'

const HEADERS = { 'Cache-Control': 'no-store' }

export const loader = () => new Response(null, { status: 405, headers: { Allow: 'POST' } })

/**
 * Keeps what is in a form whose session is over, before its page leads to the sign-in. The answer has its id, if it was
 * kept.
 */
export async function action({ request, url, context }: Route.ActionArgs) {
  const path = url.searchParams.get(KEPT_PATH) ?? ''
  const answer = await refusalOf(keepFormOfPage(request, context, path))
  if (!answer.ok)
    return data({ sentence: answer.sentence }, { status: answer.init.status, headers: HEADERS })
  return data({ kept: answer.value }, { headers: HEADERS })
}
