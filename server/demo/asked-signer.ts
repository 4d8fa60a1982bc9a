import type { User } from '#server/domain/identity/user.ts'
import { userFor } from './demo-actor.ts'

/** A signer of a demo session: a demo user by slug, or an external person. */
export type SampleSigner = { step: number; character: string | null } & (
  | { slug: string }
  | { name: string; rfc: string }
)

/** The signer as the form of a new session names them; external ones without an e-mail address. */
export function askedFrom(signer: SampleSigner, users: readonly User[]) {
  const { step, character } = signer
  if ('slug' in signer)
    return { kind: 'user', userId: userFor(users, signer.slug).id, character, step }
  return { kind: 'external', name: signer.name, rfc: signer.rfc, email: null, character, step }
}
