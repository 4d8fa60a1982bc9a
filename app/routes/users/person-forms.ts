import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import type { FlashKey } from '#app/http/cookies/flash.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { Reason } from '#server/domain/identity/factor-removal.ts'
import { FactorRemovalId, SessionId, type UserId } from '#server/domain/ids.ts'
import { approveFactorRemoval } from '#server/features/users/approve-factor-removal.ts'
import { changeUser } from '#server/features/users/change-user.ts'
import { endUserSession } from '#server/features/users/end-user-session.ts'
import { endUserSessions } from '#server/features/users/end-user-sessions.ts'
import { issueRecovery } from '#server/features/users/issue-recovery.ts'
import { liftLock } from '#server/features/users/lift-lock.ts'
import type { NewLink } from '#server/features/users/make-link.ts'
import { reactivateUser } from '#server/features/users/reactivate-user.ts'
import { refuseFactorRemoval } from '#server/features/users/refuse-factor-removal.ts'
import { renewInvitation } from '#server/features/users/renew-invitation.ts'
import { requestFactorRemoval } from '#server/features/users/request-factor-removal.ts'
import { requirePasswordChange } from '#server/features/users/require-password-change.ts'
import { suspendUser } from '#server/features/users/suspend-user.ts'
import { toUserData, userFields } from './user-form.ts'

const reason = withSentence(
  Reason,
  'Escriba el motivo, de 10 a 300 caracteres. Queda en la bitácora.',
)
const removalId = FactorRemovalId
const intent = <const I extends string>(name: I) => ({ intent: z.literal(name) })

/** The forms of a person's page, by the hidden field `intent`. */
export const PersonForm = z.discriminatedUnion('intent', [
  z
    .strictObject({ ...intent('change'), ...userFields })
    .transform(({ intent, ...fields }, context) => ({ intent, data: toUserData(fields, context) })),
  z.strictObject(intent('renew-invitation')),
  z.strictObject(intent('issue-recovery')),
  z.strictObject({ ...intent('require-password-change'), reason }),
  z.strictObject({ ...intent('suspend'), reason }),
  z.strictObject({ ...intent('reactivate'), reason }),
  z.strictObject({ ...intent('end-session'), sessionId: SessionId }),
  z.strictObject(intent('end-sessions')),
  z.strictObject(intent('lift-lock')),
  z.strictObject({ ...intent('ask-removal'), reason }),
  z.strictObject({ ...intent('approve-removal'), removalId }),
  z.strictObject({ ...intent('refuse-removal'), removalId }),
])
export type PersonForm = z.output<typeof PersonForm>

/** The message for the next page, and the new link if there is one. */
export type Done = { notice: FlashKey; link?: NewLink }

/** Runs the use case of the form. @throws {Problem} see the use cases */
export async function perform(
  context: Readonly<RouterContextProvider>,
  userId: UserId,
  form: PersonForm,
): Promise<Done> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  switch (form.intent) {
    case 'change':
      await changeUser(system, actor, { userId, data: form.data })
      return { notice: 'user-changed' }
    case 'renew-invitation':
      return { notice: 'link-made', link: await renewInvitation(system, actor, { userId }) }
    case 'issue-recovery':
      return { notice: 'link-made', link: await issueRecovery(system, actor, { userId }) }
    case 'require-password-change':
      await requirePasswordChange(system, actor, { userId, reason: form.reason })
      return { notice: 'password-change-asked' }
    case 'suspend':
      await suspendUser(system, actor, { userId, reason: form.reason })
      return { notice: 'user-suspended' }
    case 'reactivate':
      await reactivateUser(system, actor, { userId, reason: form.reason })
      return { notice: 'user-reactivated' }
    case 'end-session':
      await endUserSession(system, actor, { userId, sessionId: form.sessionId })
      return { notice: 'user-session-ended' }
    case 'end-sessions':
      await endUserSessions(system, actor, { userId })
      return { notice: 'user-sessions-ended' }
    case 'lift-lock': {
      const locks = await liftLock(system, actor, { userId })
      return { notice: locks > 0 ? 'lock-lifted' : 'no-lock' }
    }
    case 'ask-removal': {
      const removal = await requestFactorRemoval(system, actor, { userId, reason: form.reason })
      return { notice: removal.kind === 'removed' ? 'factors-removed' : 'removal-asked' }
    }
    case 'approve-removal':
      await approveFactorRemoval(system, actor, { userId, removalId: form.removalId })
      return { notice: 'factors-removed' }
    case 'refuse-removal':
      await refuseFactorRemoval(system, actor, { userId, removalId: form.removalId })
      return { notice: 'removal-refused' }
  }
}
