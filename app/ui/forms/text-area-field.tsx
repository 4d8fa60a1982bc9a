import '@mantine/core/styles/Input.css'
import { Textarea, type TextareaProps } from '@mantine/core'
import { useKeptValue } from './kept-values.ts'

type Props = Pick<TextareaProps, 'defaultValue' | 'id' | 'maxLength' | 'required' | 'rows'> & {
  name: string
  label: string
  help?: string | undefined
  errors?: readonly string[] | undefined
}

/** Multi-line text: label above, help below the label, error below the field, which gets the focus. */
export function TextAreaField({ name, help, errors, defaultValue, ...rest }: Props) {
  const kept = useKeptValue(name)
  return (
    <Textarea
      id={`field-${name}`}
      name={name}
      description={help}
      error={errors?.[0]}
      autoFocus={errors?.[0] !== undefined}
      withAsterisk={false}
      defaultValue={kept ?? defaultValue}
      rows={3}
      {...rest}
    />
  )
}
