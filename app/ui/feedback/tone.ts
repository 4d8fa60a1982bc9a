import type { IconName } from '#app/ui/text/icon.tsx'
import css from './tone.module.css'

/** good = valid, next step · wait = undecided or soon · bad = broken or refused · note = information */
export type Tone = 'good' | 'wait' | 'bad' | 'note' | 'plain'

/** The tone of each toast type. */
export const TOAST_TONES = { success: 'good', warning: 'wait', error: 'bad', info: 'note' } as const

export const toneClass = (tone: Tone) => css[tone]

export const TONE_ICONS: Record<Tone, IconName> = {
  good: 'check',
  wait: 'warning',
  bad: 'cross',
  note: 'info',
  plain: 'info',
}
