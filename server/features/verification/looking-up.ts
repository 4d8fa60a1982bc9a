import type { LookingUp } from '#server/db/documents/public-documents.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'

/** Users who may read the documents of their office find all of them; everyone else finds public ones. */
export const lookingUp = (actor: Actor): LookingUp => ({
  officeId:
    actor.kind === 'person' && actor.duty === null && isAllowed(actor.roles, 'document.read')
      ? actor.officeId
      : undefined,
})
