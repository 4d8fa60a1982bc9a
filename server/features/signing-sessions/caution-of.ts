import { leavesProtocol } from '#server/domain/signing/act/act.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { NOT_IN_PROTOCOL } from '#server/words/acts.ts'

/** What the sheets of the session say above the signatures; undefined if nothing must be said. */
export const cautionOf = ({ act }: Pick<SigningSession, 'act'>): string | undefined =>
  leavesProtocol(act) ? NOT_IN_PROTOCOL : undefined
