import type { Ref } from 'react'
import css from './file-field.module.css'

type Props = {
  name?: string
  id?: string
  label: string
  /** As in the HTML attribute: `.pdf,application/pdf`. */
  accept: string
  required?: boolean
  /** Whether several may be chosen. */
  multiple?: boolean
  help?: string | undefined
  errors?: readonly string[] | undefined
  /** Called with the chosen files, if scripts run. */
  onChosen?: (files: File[]) => void
  ref?: Ref<HTMLInputElement>
  /** Selector for the page's script. */
  'data-part'?: string
}

/** Focus goes to the invalid field. */
const FAULTY = { 'aria-invalid': true, autoFocus: true } as const

/** A file input: the browser's own control, which needs no script. */
export function FileField(props: Props) {
  const { name, id = `field-${props.name}`, label, help, errors, onChosen, ...rest } = props
  const error = errors?.[0]
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      {help && (
        <p id={`${id}-help`} className={css.help}>
          {help}
        </p>
      )}
      <input
        type="file"
        id={id}
        name={name}
        className={css.input}
        aria-describedby={described || undefined}
        onChange={({ target }) => onChosen?.([...(target.files ?? [])])}
        {...(error && FAULTY)}
        {...rest}
      />
      {error && (
        <p id={`${id}-error`} className={css.error}>
          {error}
        </p>
      )}
    </div>
  )
}
