import { Badge } from '#app/ui/feedback/badge.tsx'
import type { Tone } from '#app/ui/feedback/tone.ts'
import type { IconName } from '#app/ui/text/icon.tsx'
import type { YubikeyState } from '#server/domain/yubikeys/yubikey.ts'
import { yubikeyStates } from '#server/words/yubikeys.ts'

const LOOKS: Record<YubikeyState, { tone: Tone; icon: IconName }> = {
  'in-stock': { tone: 'note', icon: 'key' },
  assigned: { tone: 'good', icon: 'check' },
  lost: { tone: 'bad', icon: 'warning' },
  retired: { tone: 'plain', icon: 'ban' },
}

export function YubikeyBadge({ state }: { state: YubikeyState }) {
  return <Badge {...LOOKS[state]}>{yubikeyStates[state]}</Badge>
}
