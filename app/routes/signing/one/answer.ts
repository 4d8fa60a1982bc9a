import type { RouterContextProvider } from 'react-router'
import type { z } from 'zod'
import { actorContext } from '#app/http/context.ts'
import { type ReadForm, readForm } from '#app/http/forms.ts'
import { refusalOf } from '#app/http/problems.ts'
import { mustBeGuest, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { ProblemCode } from '#server/domain/problem.ts'

/** Responds to a call of the signing page: JSON, or a sentence for the signer. */
export async function jsonAnswer(work: Promise<Response>): Promise<Response> {
  const answer = await refusalOf(work)
  if (answer.ok) return answer.value
  const { init, sentence, code, page } = answer
  return refusal(init.status, sentence, { code, page })
}

/** Calls of guest pages. */
const GUEST_CALL = /^\/sign\//

type Reason = {
  /** The code, if the page can do more than show the sentence. */
  code?: ProblemCode
  /** The field to correct. */
  field?: 'certificate'
  /** The next page to read. */
  page?: string | undefined
}

export function refusal(status: number, sentence: string, reason: Reason = {}): Response {
  return Response.json({ kind: 'refused', sentence, ...reason }, { status })
}

/**
 * Reads the fields of a call. Reports a missing session or link first, rather than a stale page.
 *
 * @throws {Problem} `not-signed-in`, `signing-link-over`, `cross-site`, `bad-request`, `too-large`
 */
export async function readCall<S extends z.ZodType>(
  request: Request,
  context: Readonly<RouterContextProvider>,
  schema: S,
): Promise<ReadForm<z.output<S>>> {
  try {
    return await readForm(request, context, schema)
  } finally {
    const actor = context.get(actorContext)
    if (GUEST_CALL.test(new URL(request.url).pathname)) mustBeGuest(actor)
    else mustBeSignedIn(actor)
  }
}

/** The response to a GET of a call's address. */
export function notAPage(): Response {
  return new Response('Esta dirección no es una página. Abra el documento y firme desde ahí.', {
    status: 405,
    headers: { Allow: 'POST', 'Content-Type': 'text/plain; charset=utf-8' },
  })
}
