import '@mantine/core/styles/Badge.css'
import { Badge as MantineBadge } from '@mantine/core'
import { useHydrates } from '#app/ui/frame/hydrates.ts'
import { Icon, type IconName } from '#app/ui/text/icon.tsx'
import css from './badge.module.css'
import { TONE_ICONS, type Tone, toneClass } from './tone.ts'

/** A state as an icon and a word. */
export function Badge({ tone, icon, children }: { tone: Tone; icon?: IconName; children: string }) {
  const picture = <Icon name={icon ?? TONE_ICONS[tone]} size={14} />
  if (useHydrates())
    return (
      <MantineBadge
        component="span"
        size="lg"
        variant="light"
        color={tone}
        leftSection={picture}
        className={css.state}
      >
        {children}
      </MantineBadge>
    )
  return (
    <span className={`${css.badge} ${toneClass(tone)}`}>
      {picture}
      {children}
    </span>
  )
}
