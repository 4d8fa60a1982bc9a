import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Checkbox.css'
import { Checkbox, type CheckboxProps } from '@mantine/core'
import { useKeptValues } from './kept-values.ts'

type Props = Pick<CheckboxProps, 'defaultChecked' | 'id' | 'required' | 'label' | 'value'> & {
  name: string
  help?: string | undefined
  errors?: readonly string[] | undefined
}

/** A checkbox with its label beside it. */
export function CheckboxField({ name, help, errors, defaultChecked, ...rest }: Props) {
  const kept = useKeptValues(name)
  const isChecked = kept?.includes(String(rest.value ?? 'on')) ?? defaultChecked
  return (
    <Checkbox
      id={`field-${name}`}
      name={name}
      description={help}
      error={errors?.[0]}
      aria-invalid={errors?.[0] !== undefined || undefined}
      autoFocus={errors?.[0] !== undefined}
      {...(isChecked !== undefined && { defaultChecked: isChecked })}
      {...rest}
    />
  )
}
