import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { CHOSEN } from '#app/messages/field-names.ts'
import css from './selection.module.css'

export type SelectionAction = { label: string; to: string; isEnding?: true }

type Props = {
  /** What can be done with the chosen documents: each is a page that gets them in its address. */
  actions: readonly SelectionAction[]
  /** A list with a `ChooseBox` in each row. */
  children: ReactNode
}

/** A list of which several documents can be chosen. Its bar shows once one is, without scripts too; scripts count them. */
export function Selection({ actions, children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [count, setCount] = useState(0)
  const recount = () =>
    setCount(form.current ? new FormData(form.current).getAll(CHOSEN).length : 0)
  // Boxes may be marked before the script runs, and stay so when the user comes back to the page.
  useEffect(() => {
    recount()
    addEventListener('pageshow', recount)
    return () => removeEventListener('pageshow', recount)
  })
  return (
    <form ref={form} method="get" className={css.selection} onChange={recount}>
      {children}
      <div className={css.bar}>
        <span className={css.count} role="status">
          {count === 0 ? 'Con los documentos elegidos' : `Documentos elegidos: ${count}`}
        </span>
        {actions.map(({ label, to, isEnding }) => (
          <Button
            key={to}
            type="submit"
            formAction={to}
            {...(isEnding ? { color: 'bad', variant: 'light' } : { variant: 'default' })}
            size="xs"
          >
            {label}
          </Button>
        ))}
      </div>
    </form>
  )
}

type BoxProps = { id: string; title: string }

/** Chooses the document of a row. */
export const ChooseBox = ({ id, title }: BoxProps) => (
  <label className={css.box}>
    <input type="checkbox" name={CHOSEN} value={id} aria-label={`Elegir ${title}`} />
  </label>
)

/** Chooses all documents of the list. */
export const ChooseAll = () => (
  <label className={css.all}>
    <input
      type="checkbox"
      aria-label="Elegir todos los de esta página"
      onChange={({ target: { form, checked } }) => {
        for (const box of form?.querySelectorAll<HTMLInputElement>(`input[name=${CHOSEN}]`) ?? [])
          box.checked = checked
      }}
    />
  </label>
)
