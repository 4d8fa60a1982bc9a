import css from './check-row.module.css'
import { useKeptValues } from './kept-values.ts'

type Props = {
  id: string
  name: string
  value: string
  label: string
  help: string
  isChecked: boolean
}

/** A checkbox of a list that may have hundreds: plain elements, since five hundred of Mantine keep the server busy. */
export function CheckRow({ id, name, value, label, help, isChecked }: Props) {
  const kept = useKeptValues(name)
  return (
    <div className={css.row}>
      <input
        type="checkbox"
        id={id}
        name={name}
        value={value}
        defaultChecked={kept?.includes(value) ?? isChecked}
        aria-describedby={`${id}-help`}
      />
      <label htmlFor={id}>{label}</label>
      <small id={`${id}-help`}>{help}</small>
    </div>
  )
}
