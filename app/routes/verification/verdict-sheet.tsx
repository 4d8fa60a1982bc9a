import type { ReactNode } from 'react'
import { toneClass } from '#app/ui/feedback/tone.ts'
import { Seal } from '#app/ui/frame/seal.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { type NamedFact, NamedFacts } from './named-facts.tsx'
import { SignatureCard } from './signature-card.tsx'
import { TimelineMark } from './timeline-mark.tsx'
import css from './verdict-sheet.module.css'
import type { VerdictView } from './verdict-view.ts'

type Props = {
  verdict: VerdictView
  facts: readonly NamedFact[]
  /** Shown between the sentence and the facts. */
  children?: ReactNode
}

/** A verdict: one sentence, its meaning, the facts, and each signature in order. */
export function VerdictSheet({ verdict, facts, children }: Props) {
  const { tone, icon, word, sentence, meaning, isTest, timeline, warnings } = verdict
  return (
    <article className={`${css.sheet} ${toneClass(tone)}`}>
      {isTest && (
        <p className={css.test}>
          <span>Informe de prueba</span>
        </p>
      )}
      <div className={css.band}>
        <span className={css.seal}>
          <Seal size={88} />
        </span>
        <div className={css.said}>
          <p className={css.word}>
            <Icon name={icon} size={22} /> {word}
          </p>
          <p role="status" className={css.sentence}>
            {sentence}
          </p>
        </div>
      </div>
      <div className={css.body}>
        <section>
          <h2>Qué significa</h2>
          {meaning.map((line) => (
            <p key={line}>{line}</p>
          ))}
          {isTest && (
            <p>
              <strong>Es un informe de prueba:</strong> el certificado o la notaría son de
              demostración y nada de lo que aquí se dice tiene validez.
            </p>
          )}
        </section>
        <FilledFields fields={verdict.filled} />
        {children}
        {warnings.length > 0 && (
          <section>
            <h2>Advertencias</h2>
            <ul>
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </section>
        )}
        {facts.length > 0 && (
          <section>
            <h2>Datos</h2>
            <NamedFacts facts={facts} />
          </section>
        )}
        {timeline.length > 0 && (
          <section>
            <h2>{headingOf(verdict)}</h2>
            <ol className={css.line}>
              {timeline.map((entry) =>
                entry.kind === 'signature' ? (
                  <SignatureCard key={entry.id} signature={entry} />
                ) : (
                  <TimelineMark key={entry.id} event={entry} />
                ),
              )}
            </ol>
          </section>
        )}
      </div>
    </article>
  )
}

/** Readers with a code alone see which fields were filled, not with what. */
function FilledFields({ fields }: { fields: VerdictView['filled'] }) {
  if (fields.length === 0) return null
  return (
    <section>
      <h2>Campos llenados después de firmar</h2>
      <ul>
        {fields.map(({ id, field, where, value }) => (
          <li key={id}>
            {field}
            {where && `, ${where}`}
            {value && `: ${value}`}
          </li>
        ))}
      </ul>
    </section>
  )
}

function headingOf({ signatures, timeline }: VerdictView): string {
  if (signatures === 0)
    return timeline.some(({ kind }) => kind === 'signature') ? 'Sellos de tiempo' : 'Constancia'
  return signatures === 1 ? 'Firma' : `Firmas (${signatures})`
}
