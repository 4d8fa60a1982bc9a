import { data } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readForm } from '#app/http/forms.ts'
import { refusalOf } from '#app/http/problems.ts'
import { FindByDigest, findByDigest } from '#server/features/verification/find-by-digest.ts'
import type { Route } from './+types/registered'
import { registrationView } from './registration-words.ts'

const HEADERS = { 'Cache-Control': 'no-store' }

const UNKNOWN =
  'Este archivo no está registrado aquí, tal como está. Para revisar sus firmas, envíelo con “Verificar archivo”.'

export const loader = () => new Response(null, { status: 405, headers: { Allow: 'POST' } })

/** Returns whether a file is registered, by its hash. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await refusalOf(readForm(request, context, FindByDigest))
  if (!form.ok)
    return data({ sentence: form.sentence }, { status: form.init.status, headers: HEADERS })
  if (!form.value.ok) return data({ sentence: UNKNOWN }, { status: 422, headers: HEADERS })
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const found = await refusalOf(findByDigest(system, actor, form.value.value))
  if (!found.ok) {
    const { sentence, init } = found
    return data({ sentence }, { ...init, headers: { ...init.headers, ...HEADERS } })
  }
  if (!found.value) return data({ sentence: UNKNOWN }, { headers: HEADERS })
  const { sentence, address } = registrationView(found.value)
  return data({ sentence, address }, { headers: HEADERS })
}
