import type { Tone } from '#app/ui/feedback/tone.ts'
import type { SessionView, SignerView } from './session-view.ts'

/** What a signer has done in the session, or is asked to do. */
export function standingOf(
  {
    state,
    isInTurn,
    hasBegun,
    since,
  }: Pick<SignerView, 'state' | 'isInTurn' | 'hasBegun' | 'since'>,
  session: SessionView['state'],
): [Tone, string] {
  switch (state) {
    case 'signed':
      return ['good', `Firmó, ${since}`]
    case 'rejected':
      return ['bad', `Rechazó, ${since}`]
    case 'replaced':
      return ['plain', 'Sustituido']
    case 'pending':
      // A session of several documents may end after a signer signed some of them.
      if (session === 'rejected' || session === 'cancelled')
        return ['plain', hasBegun ? 'Firmó solo una parte' : 'No firmó']
      if (session !== 'open') return ['plain', 'Por firmar']
      return isInTurn ? ['wait', 'Es su turno'] : ['plain', 'Espera a otros']
  }
}
