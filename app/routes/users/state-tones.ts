import type { Tone } from '#app/ui/feedback/tone.ts'
import type { UserState } from '#server/domain/identity/user.ts'

export const STATE_TONES: Record<UserState, Tone> = {
  active: 'good',
  invited: 'wait',
  suspended: 'bad',
}
