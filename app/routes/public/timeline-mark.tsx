import { Icon } from '#app/ui/icon.tsx'
import { toneClass } from '#app/ui/tone.ts'
import type { TimelineEvent } from './timeline.ts'
import css from './timeline-mark.module.css'

/** What happened between two signatures, as a line of text beside the line of time. */
export function TimelineMark({ event: { tone, icon, text, when } }: { event: TimelineEvent }) {
  return (
    <li className={`${css.event} ${toneClass(tone)}`}>
      <span className={css.mark}>
        <Icon name={icon} size={16} />
      </span>
      <p>
        <strong>{text}</strong>
        {when && <span className={css.when}>{when}</span>}
      </p>
    </li>
  )
}
