import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { mustBeOurForm } from '#app/http/csrf.ts'
import { isJson, readJson } from '#app/http/json-body.ts'
import { refusalOf } from '#app/http/problems.ts'
import { notAPage } from '#app/routes/signing/one/answer.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { beginPresence } from '#server/features/presence/begin-presence.ts'
import { PresentDocuments } from '#server/features/presence/find-shown.ts'
import type { Route } from './+types/begin-presence'

const Body = z.strictObject({ documents: PresentDocuments })

/** Returns the options for the security key of the presence page. */
export async function action({ request, context }: Route.ActionArgs) {
  const answer = await refusalOf(begin())
  const headers = { 'Cache-Control': 'no-store' }
  if (answer.ok) return Response.json({ publicKey: answer.value }, { headers })
  return Response.json({ detail: answer.sentence }, { status: answer.init.status, headers })

  async function begin() {
    const [system, actor] = [context.get(systemContext), context.get(actorContext)]
    mustBeSignedIn(actor)
    mustBeOurForm(request, context, undefined)
    if (!isJson(request)) throw new Problem('bad-request', 'not JSON')
    const body = Body.safeParse(await readJson(request))
    if (!body.success) throw new Problem('bad-request', 'not a list of documents')
    return await beginPresence(system, actor, body.data)
  }
}

export const loader = () => notAPage()
