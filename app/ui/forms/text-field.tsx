import '@mantine/core/styles/Input.css'
import { TextInput, type TextInputProps } from '@mantine/core'

type Props = Pick<
  TextInputProps,
  | 'autoComplete'
  | 'autoFocus'
  | 'defaultValue'
  | 'id'
  | 'inputMode'
  | 'maxLength'
  | 'minLength'
  | 'placeholder'
  | 'required'
  | 'size'
  | 'spellCheck'
  | 'type'
> & {
  name: string
  label: string
  /** What to write, under the label. */
  help?: string | undefined
  /** What is wrong and what to do; only the first is shown. */
  errors?: readonly string[] | undefined
  /** The script of the page that fills it in. */
  'data-island'?: string
}

/** One line of text: label above, help under the label, error under the field, which then has the keyboard. */
export function TextField({ name, help, errors, ...rest }: Props) {
  return (
    <TextInput
      id={`field-${name}`}
      name={name}
      description={help}
      error={errors?.[0]}
      autoFocus={errors?.[0] !== undefined}
      withAsterisk={false}
      {...rest}
    />
  )
}
