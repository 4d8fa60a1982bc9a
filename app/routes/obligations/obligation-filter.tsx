import { Form } from 'react-router'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import css from './obligation-filter.module.css'

type Props = {
  asked: Partial<Record<'show' | 'obligation' | 'month' | 'day', string | undefined>>
  obligations: readonly { value: string; label: string }[]
}

const ALL = { value: '', label: 'Todas' }

/** Shows those of one obligation; the page's address holds the selection. */
export function ObligationFilter({ asked: { show, obligation, month, day }, obligations }: Props) {
  return (
    <Form method="get" className={css.filter} key={`${show} ${obligation} ${month} ${day}`}>
      {show && <input type="hidden" name="show" value={show} />}
      {month && <input type="hidden" name="month" value={month} />}
      {day && <input type="hidden" name="day" value={day} />}
      <SelectField
        name="obligation"
        label="Obligación"
        data={[ALL, ...obligations]}
        defaultValue={obligation ?? ''}
      />
      <SubmitButton variant="default">Filtrar</SubmitButton>
    </Form>
  )
}
