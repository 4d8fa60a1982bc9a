import type { ReactNode } from 'react'
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
  return (
    <div className={`${css.notice} ${toneClass(tone)}`} role={isLive ? 'alert' : 'note'}>
      <Icon name={TONE_ICONS[tone]} size={20} />
      <div>
        {title && <strong>{title}</strong>}
        <div>{children}</div>
      </div>
    </div>
  )
}
