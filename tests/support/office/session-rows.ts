import { randomUUID } from 'node:crypto'
import type { User } from '#server/domain/identity/user.ts'
import { Signer } from '#server/domain/signing/session/signer.ts'
import { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { MORNING } from '#tests/support/builders.ts'

/** An open session, as a row. */
export const aSession = (
  author: User,
  changes: Partial<Record<keyof SigningSession, unknown>> = {},
): SigningSession =>
  SigningSession.parse({
    ...{ id: randomUUID(), officeId: author.officeId, title: 'Otra firma', message: null },
    ...{ deadline: null, state: 'open', stateSince: MORNING, stateBy: author.id },
    ...{ stateReason: null, createdAt: MORNING, createdBy: author.id, act: null },
    ...changes,
  } satisfies Record<keyof SigningSession, unknown>)

/** An external signer of the session who has not signed, as a row. */
export const aSigner = (
  session: Pick<SigningSession, 'id'>,
  place: number,
  changes: Partial<Record<keyof Signer, unknown>> = {},
): Signer =>
  Signer.parse({
    ...{ id: randomUUID(), signingSessionId: session.id, place, step: 1, userId: null },
    ...{ name: 'Benito Núñez', email: null, rfc: 'NUPB801201QX7' },
    ...{ character: { kind: 'declared', texts: ['Comprador'] }, state: 'pending' },
    ...{ stateSince: MORNING, stateReason: null, replacedBy: null, remindedAt: null },
    ...{ stateProof: null },
    ...changes,
  } satisfies Record<keyof Signer, unknown>)
