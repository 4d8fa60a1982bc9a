import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import { Radio, type RadioProps } from '@mantine/core'
import { useKeptValue } from './kept-values.ts'

type Props = Pick<RadioProps, 'defaultChecked' | 'label'> & {
  id: string
  name: string
  value: string
  help?: string | undefined
}

/** One of several answers, with its label beside it. */
export function RadioField({ name, value, help, defaultChecked = false, ...rest }: Props) {
  const kept = useKeptValue(name)
  const isChecked = kept === undefined ? defaultChecked : kept === value
  return <Radio name={name} value={value} description={help} defaultChecked={isChecked} {...rest} />
}
