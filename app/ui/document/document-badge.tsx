import { Badge } from '#app/ui/feedback/badge.tsx'
import type { Tone } from '#app/ui/feedback/tone.ts'
import type { IconName } from '#app/ui/text/icon.tsx'
import type { DocumentState } from '#server/domain/documents/document.ts'
import { documentStates } from '#server/words/documents.ts'

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
