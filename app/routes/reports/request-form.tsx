import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import css from './reports.module.css'

type Props = {
  kind: string
  /** The filters of the page. */
  query: Record<string, string | undefined>
}

/** Asks for a file that is made apart, however long the report. */
export function RequestForm({ kind, query }: Props) {
  return (
    <PostForm action="/dashboard/reports/files" className={css.request}>
      <input type="hidden" name="intent" value="request" />
      <input type="hidden" name="kind" value={kind} />
      {Object.entries(query).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <SelectField
        name="format"
        label="Preparar aparte como"
        data={[
          { value: 'xlsx', label: 'Excel' },
          { value: 'csv', label: 'CSV' },
          { value: 'pdf', label: 'PDF' },
        ]}
      />
      <SubmitButton variant="default">Preparar archivo</SubmitButton>
    </PostForm>
  )
}
