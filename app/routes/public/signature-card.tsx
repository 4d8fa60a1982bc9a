import { Icon } from '#app/ui/icon.tsx'
import { TONE_ICONS, toneClass } from '#app/ui/tone.ts'
import { NamedFacts } from './named-facts.tsx'
import css from './signature-card.module.css'
import type { SignatureView } from './verdict-view.ts'

/** One signature on the time line: who, when, what holds, and what came after it. */
export function SignatureCard({ signature }: { signature: SignatureView }) {
  const { title, tone, word, when, checks, facts, timestamps, changes, warnings } = signature
  return (
    <li className={`${css.card} ${toneClass(tone)}`}>
      <span className={css.mark}>
        <Icon name={TONE_ICONS[tone]} size={16} />
      </span>
      <h3>{title}</h3>
      <p className={css.word}>{word}</p>
      <p className={css.when}>{when}</p>
      <ul className={css.checks}>
        {checks.map(({ isGood, text }) => (
          <li key={text} className={toneClass(isGood ? 'good' : 'bad')}>
            <Icon name={isGood ? 'check' : 'cross'} size={16} />
            {text}
          </li>
        ))}
      </ul>
      <Sentences title="Conviene saber" sentences={warnings} />
      <Sentences title="Después de esta firma" sentences={changes} />
      <NamedFacts facts={[...facts, ...timestamps]} />
      <details>
        <summary>Detalles técnicos</summary>
        <NamedFacts facts={signature.details} />
      </details>
    </li>
  )
}

function Sentences({ title, sentences }: { title: string; sentences: readonly string[] }) {
  if (sentences.length === 0) return null
  return (
    <div>
      <h4>{title}</h4>
      <ul>
        {[...new Set(sentences)].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  )
}
