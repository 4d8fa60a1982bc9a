import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  countKeptForms,
  deleteExpiredKeptRequests,
  insertKeptRequest,
  placeOfBody,
} from '#server/db/sign-ins/kept-requests.ts'
import { lockSessionsOf } from '#server/db/sign-ins/sessions.ts'
import {
  KEPT_FORM_LIFETIME,
  KEPT_FORM_LIMIT,
  keepable,
  MOST_KEPT_FORMS,
} from '#server/domain/identity/kept-form.ts'
import { KeptRequestId } from '#server/domain/ids.ts'
import { after } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import type { EndedSession } from './find-ended-session.ts'

const KeepForm = z.object({
  /** Where the form was sent to, without its query. */
  path: z
    .string()
    .regex(/^\/(?!\/)[^?#]*$/)
    .max(2000),
  /** As the browser sent them; a value that is not text is a file. */
  entries: z.array(z.tuple([z.string(), z.unknown()])),
})
type KeepForm = z.infer<typeof KeepForm>

/**
 * Keeps a form for an hour, sealed, for the user whose session was over when it came. Files, passwords, keys and codes are
 * left out. Undefined when nothing is left, it is too large, or too many are kept.
 *
 * @param session of the token with which the form came
 */
export async function keepForm(
  { db, clock, vault }: Pick<System, 'db' | 'clock' | 'vault'>,
  { sessionId, userId }: EndedSession,
  input: KeepForm,
): Promise<KeptRequestId | undefined> {
  const given = KeepForm.safeParse(input)
  if (!given.success) return undefined
  const { path, entries } = given.data
  const kept = keepable(entries)
  const body = new TextEncoder().encode(JSON.stringify(kept))
  if (kept.fields.length === 0 || body.length > KEPT_FORM_LIMIT) return undefined

  const at = clock.now()
  const id = KeptRequestId.parse(randomUUID())
  const request = {
    ...{ id, sessionId, userId, path },
    purpose: 'sign-in' as const,
    contentType: 'application/json',
    sealed: vault.seal(body, placeOfBody(id)),
    ...{ createdAt: at, expiresAt: after(at, KEPT_FORM_LIFETIME), usedAt: null },
  }
  return await db.transaction(async (trx) => {
    await lockSessionsOf(trx, userId)
    await deleteExpiredKeptRequests(trx, at)
    if ((await countKeptForms(trx, userId, at)) >= MOST_KEPT_FORMS) return undefined
    await insertKeptRequest(trx, request)
    return id
  })
}
