import { Form } from 'react-router'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import type { ListRecentEvents } from '#server/features/audit/list-recent-events.ts'
import { auditTopics } from '#server/words/audit/audit-actions.ts'
import css from './event-filter.module.css'

type Props = {
  filter: Pick<ListRecentEvents, 'about' | 'by' | 'from' | 'to' | 'text'>
  /** The subject of the events; the form keeps it. */
  subject: string | undefined
  /** Absent for users who may read their own events only. */
  people: readonly { id: string; name: string }[] | undefined
}

/** Searches events, and filters them by subject, person and date. */
export function EventFilter({ filter, subject, people }: Props) {
  const { about, by, from, to, text } = filter
  const topics = Object.entries(auditTopics).map(([value, label]) => ({ value, label }))
  const names = (people ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Form method="get" role="search" className={css.filter} key={JSON.stringify(filter)}>
      {subject && <input type="hidden" name="subject" value={subject} />}
      <TextField
        name="text"
        type="search"
        label="Buscar"
        help="Documento, persona, sesión de firma o evento"
        defaultValue={text ?? ''}
        maxLength={200}
        autoComplete="off"
      />
      <SelectField
        name="about"
        label="Sobre"
        data={[{ value: '', label: 'Todo' }, ...topics]}
        defaultValue={about ?? ''}
      />
      {people && (
        <SelectField
          name="by"
          label="Quién"
          data={[{ value: '', label: 'Cualquier persona' }, ...names]}
          defaultValue={by ?? ''}
        />
      )}
      <TextField name="from" type="date" label="Desde" defaultValue={from ?? ''} />
      <TextField name="to" type="date" label="Hasta" defaultValue={to ?? ''} />
      <SubmitButton variant="default" leftSection={<Icon name="search" />}>
        Filtrar
      </SubmitButton>
    </Form>
  )
}
