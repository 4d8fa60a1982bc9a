import type { RouterContextProvider } from 'react-router'
import type { z } from 'zod'
import { actorContext } from '#app/http/context.ts'
import { type ReadForm, readForm } from '#app/http/forms.ts'
import { refusalOf } from '#app/http/problems.ts'
import { mustBeGuest, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { ProblemCode } from '#server/domain/problem.ts'

/** What the signing page hears of a call: JSON of its own, or a sentence for whoever signs. */
export async function jsonAnswer(work: Promise<Response>): Promise<Response> {
  const answer = await refusalOf(work)
  if (answer.ok) return answer.value
  const { status, sentence, code } = answer
  return refusal(status, sentence, { code })
}

/** The calls of the page of somebody who came by a link. */
const GUEST_CALL = /^\/sign\//

type Reason = {
  /** What the page goes by, where it can do more than say the sentence. */
  code?: ProblemCode
  /** Where on the page the person can do something about it. */
  field?: 'certificate'
}

export function refusal(status: number, sentence: string, reason: Reason = {}): Response {
  return Response.json({ kind: 'refused', sentence, ...reason }, { status })
}

/**
 * The fields of a call. Whoever has no session any more, or no link, hears that, and not that the page is too old.
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

/** For whoever opens the address of a call as if it were a page. */
export function notAPage(): Response {
  return new Response('Esta dirección no es una página. Abra el documento y firme desde ahí.', {
    status: 405,
    headers: { Allow: 'POST', 'Content-Type': 'text/plain; charset=utf-8' },
  })
}
