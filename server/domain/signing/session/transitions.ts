import { Problem } from '#server/domain/problem.ts'
import type { Signer, SignerState } from './signer.ts'
import type { SigningSession, SigningSessionState } from './signing-session.ts'

/** The states that a session may enter from each state. An expired session can be extended. */
const SESSIONS: Record<SigningSessionState, readonly SigningSessionState[]> = {
  draft: ['open', 'cancelled'],
  open: ['completed', 'rejected', 'cancelled', 'expired'],
  expired: ['open', 'cancelled'],
  completed: [],
  rejected: [],
  cancelled: [],
}

/** A signature cannot be withdrawn, and a replaced signer does not return. */
const SIGNERS: Record<SignerState, readonly SignerState[]> = {
  pending: ['signed', 'rejected', 'replaced'],
  signed: [],
  rejected: [],
  replaced: [],
}

const isSessionTransition = (from: SigningSessionState, to: SigningSessionState) =>
  SESSIONS[from].includes(to)

const isSignerTransition = (from: SignerState, to: SignerState) => SIGNERS[from].includes(to)

/** @throws {Problem} `session-state` when the session cannot become `to` */
export function mustBecome(
  { id, state }: Pick<SigningSession, 'id' | 'state'>,
  to: SigningSessionState,
): void {
  if (!isSessionTransition(state, to))
    throw new Problem('session-state', `${id} is ${state}, it cannot become ${to}`)
}

/** @throws {Problem} `session-state` when the signer cannot become `to` */
export function signerMustBecome(
  { id, state }: Pick<Signer, 'id' | 'state'>,
  to: SignerState,
): void {
  if (!isSignerTransition(state, to))
    throw new Problem('session-state', `${id} is ${state}, it cannot become ${to}`)
}
