import { glossary, type Term } from '#server/words/glossary.ts'
import css from './help.module.css'

/** A "?" beside a technical word that tells what it means; needs no script. */
export function Help({ about }: { about: Term }) {
  const { name, text } = glossary[about]
  return (
    <details className={css.help}>
      <summary>
        <span aria-hidden="true">?</span>
        <span className="visually-hidden">Qué es {name}</span>
      </summary>
      <p>{text}</p>
    </details>
  )
}
