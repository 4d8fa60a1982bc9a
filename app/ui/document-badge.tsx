import { documentStates } from '#app/messages/documents.ts'
import type { DocumentState } from '#server/domain/documents/document.ts'
import { Badge } from './badge.tsx'
import type { IconName } from './icon.tsx'
import type { Tone } from './tone.ts'

const LOOKS: Record<DocumentState, { tone: Tone; icon: IconName }> = {
  draft: { tone: 'plain', icon: 'pencil' },
  signing: { tone: 'wait', icon: 'clock' },
  signed: { tone: 'good', icon: 'check' },
  rejected: { tone: 'bad', icon: 'cross' },
  cancelled: { tone: 'plain', icon: 'ban' },
}

export function DocumentBadge({ state }: { state: DocumentState }) {
  return <Badge {...LOOKS[state]}>{documentStates[state]}</Badge>
}
