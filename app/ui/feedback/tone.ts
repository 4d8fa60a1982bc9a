import type { IconName } from '#app/ui/text/icon.tsx'
import css from './tone.module.css'

/** good = valid, the way on · wait = undecided or soon · bad = broken or refused · note = information */
export type Tone = 'good' | 'wait' | 'bad' | 'note' | 'plain'

/** What a message of the last action means. */
export const TOAST_TONES = { success: 'good', warning: 'wait', error: 'bad', info: 'note' } as const

export const toneClass = (tone: Tone) => css[tone]

export const TONE_ICONS: Record<Tone, IconName> = {
  good: 'check',
  wait: 'warning',
  bad: 'cross',
  note: 'info',
  plain: 'info',
}
