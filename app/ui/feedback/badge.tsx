import { Icon, type IconName } from '#app/ui/text/icon.tsx'
import css from './badge.module.css'
import { TONE_ICONS, type Tone, toneClass } from './tone.ts'

/** A state as an icon and a word. */
export function Badge({ tone, icon, children }: { tone: Tone; icon?: IconName; children: string }) {
  return (
    <span className={`${css.badge} ${toneClass(tone)}`}>
      <Icon name={icon ?? TONE_ICONS[tone]} size={14} />
      {children}
    </span>
  )
}
