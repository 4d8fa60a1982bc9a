import { Badge } from '#app/ui/feedback/badge.tsx'
import type { Tone } from '#app/ui/feedback/tone.ts'
import type { IconName } from '#app/ui/text/icon.tsx'
import type { SigningSessionState } from '#server/domain/signing/session/signing-session.ts'
import { signingSessionStates } from '#server/words/signing.ts'

const LOOKS: Record<SigningSessionState, { tone: Tone; icon: IconName }> = {
  draft: { tone: 'plain', icon: 'pencil' },
  open: { tone: 'wait', icon: 'sign' },
  completed: { tone: 'good', icon: 'check' },
  rejected: { tone: 'bad', icon: 'cross' },
  cancelled: { tone: 'plain', icon: 'ban' },
  expired: { tone: 'wait', icon: 'clock' },
}

export function SigningSessionBadge({ state }: { state: SigningSessionState }) {
  return <Badge {...LOOKS[state]}>{signingSessionStates[state]}</Badge>
}
