import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Checkbox.css'
import { Checkbox, type CheckboxProps } from '@mantine/core'

type Props = Pick<CheckboxProps, 'defaultChecked' | 'id' | 'required' | 'label' | 'value'> & {
  name: string
  help?: string | undefined
  errors?: readonly string[] | undefined
}

/** A checkbox with its label beside it. */
export function CheckboxField({ name, help, errors, ...rest }: Props) {
  return (
    <Checkbox id={`field-${name}`} name={name} description={help} error={errors?.[0]} {...rest} />
  )
}
