import { TONE_ICONS, toneClass } from '#app/ui/feedback/tone.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import { NamedFacts } from './named-facts.tsx'
import css from './signature-card.module.css'
import type { SignatureView } from './signature-view.ts'

/** One signature on the timeline: signer, time, checks, and later changes. */
export function SignatureCard({ signature }: { signature: SignatureView }) {
  const { title, claim, tone, word, when, checks, facts, changes, warnings } = signature
  return (
    <li className={`${css.card} ${toneClass(tone)}`}>
      <span className={css.mark}>
        <Icon name={TONE_ICONS[tone]} size={16} />
      </span>
      <h3>{title}</h3>
      <p className={css.word}>{word}</p>
      {claim && <p>{claim}</p>}
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
      {changes.length > 0 && (
        <div className={css.changes}>
          <h4>{signature.afterwards}</h4>
          {changes.map((page) => (
            <Sentences key={page.title} level="h5" {...page} />
          ))}
        </div>
      )}
      <NamedFacts facts={facts} />
      <details>
        <summary>Detalles técnicos</summary>
        <NamedFacts facts={signature.details} />
      </details>
    </li>
  )
}

type SentencesProps = { title: string; sentences: readonly string[]; level?: 'h4' | 'h5' }

function Sentences({ title, sentences, level: Heading = 'h4' }: SentencesProps) {
  if (sentences.length === 0) return null
  return (
    <div>
      <Heading>{title}</Heading>
      <ul>
        {[...new Set(sentences)].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  )
}
