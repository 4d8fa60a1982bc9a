import '@mantine/core/styles/Alert.css'
import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { useHydrates } from '#app/ui/frame/hydrates.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import css from './notice.module.css'
import { TONE_ICONS, type Tone, toneClass } from './tone.ts'

type Props = {
  tone: Exclude<Tone, 'plain'>
  title?: string
  children: ReactNode
  /** False for static content, which screen readers need not announce. */
  isLive?: boolean
}

/** A message in the flow of the page; screen readers announce it if `isLive`. */
export function Notice({ tone, title, children, isLive = true }: Props) {
  const picture = <Icon name={TONE_ICONS[tone]} size={20} />
  if (useHydrates())
    return (
      <Alert
        color={tone}
        title={title}
        icon={picture}
        className={css.alert}
        role={isLive ? 'alert' : 'note'}
      >
        {children}
      </Alert>
    )
  return (
    <div className={`${css.notice} ${toneClass(tone)}`} role={isLive ? 'alert' : undefined}>
      {picture}
      <div>
        {title && <strong>{title}</strong>}
        <div>{children}</div>
      </div>
    </div>
  )
}
