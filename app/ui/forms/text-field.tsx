import '@mantine/core/styles/Input.css'
import { TextInput, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useKeptValue } from './kept-values.ts'

type Props = Pick<
  TextInputProps,
  | 'autoComplete'
  | 'autoFocus'
  | 'defaultValue'
  | 'id'
  | 'inputMode'
  | 'list'
  | 'maxLength'
  | 'minLength'
  | 'placeholder'
  | 'required'
  | 'size'
  | 'spellCheck'
  | 'type'
> & {
  name: string
  label: ReactNode
  /** Help text below the label. */
  help?: string | undefined
  /** Errors; only the first is shown. */
  errors?: readonly string[] | undefined
  /** The island that fills it in. */
  'data-island'?: string
}

/** Single-line text: label above, help below the label, error below the field, which gets the focus. */
export function TextField({ name, help, errors, defaultValue, ...rest }: Props) {
  const kept = useKeptValue(name)
  return (
    <TextInput
      id={`field-${name}`}
      name={name}
      description={help}
      error={errors?.[0]}
      autoFocus={errors?.[0] !== undefined}
      withAsterisk={false}
      defaultValue={kept ?? defaultValue}
      {...rest}
    />
  )
}
