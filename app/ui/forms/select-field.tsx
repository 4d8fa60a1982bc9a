import '@mantine/core/styles/Input.css'
import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useKeptValue } from './kept-values.ts'

type Props = Pick<NativeSelectProps, 'data' | 'defaultValue' | 'id' | 'required' | 'size'> & {
  name: string
  label: string
  help?: string | undefined
  errors?: readonly string[] | undefined
}

/** A select box: the browser's own control. */
export function SelectField({ name, help, errors, defaultValue, ...rest }: Props) {
  const kept = useKeptValue(name)
  return (
    <NativeSelect
      id={`field-${name}`}
      name={name}
      description={help}
      error={errors?.[0]}
      withAsterisk={false}
      defaultValue={kept ?? defaultValue}
      {...rest}
    />
  )
}
