import { toneClass } from '#app/ui/feedback/tone.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import { NamedFacts } from './named-facts.tsx'
import type { TimelineEvent } from './timeline.ts'
import css from './timeline-mark.module.css'

/** An event between two signatures, beside the timeline. */
export function TimelineMark({ event }: { event: TimelineEvent }) {
  const { tone, icon, text, when, sentences = [], facts = [] } = event
  return (
    <li className={`${css.event} ${toneClass(tone)}`}>
      <span className={css.mark}>
        <Icon name={icon} size={16} />
      </span>
      <div className={css.said}>
        <p>
          <strong>{text}</strong>
          {when && <span className={css.when}>{when}</span>}
        </p>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {facts.length > 0 && (
          <details>
            <summary>Detalles técnicos</summary>
            <NamedFacts facts={facts} />
          </details>
        )}
      </div>
    </li>
  )
}
