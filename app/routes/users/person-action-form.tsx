import type { ReactNode } from 'react'
import { useIsKeptForm } from '#app/ui/forms/kept-values.ts'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import folds from '#app/ui/lists/folds.module.css'
import type { FaultyForm } from './faulty-form.ts'
import css from './person.module.css'

type Props = { id: string; intent: string; className?: string | undefined; children: ReactNode }

/** One of the page's forms; it always posts to this page. */
export function PersonActionForm({ id, intent, className, children }: Props) {
  return (
    <PostForm action={`/dashboard/users/${id}`} className={className} noValidate preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      {children}
    </PostForm>
  )
}

type ReasonedProps = {
  id: string
  intent: string
  /** The summary: `Suspender la cuenta`. */
  title: string
  /** The consequence for the person. */
  meaning: string
  button: string
  fault: FaultyForm | undefined
  isOpen?: boolean
}

/** An action that requires a reason: collapsed, open if the reason was refused. */
export function ReasonedAction({
  id,
  intent,
  title,
  meaning,
  button,
  fault,
  isOpen = false,
}: ReasonedProps) {
  const own = fault?.intent === intent ? fault : undefined
  const isKept = useIsKeptForm(`/dashboard/users/${id}`, { intent })
  return (
    <details className={folds.fold} open={isOpen || isKept || own !== undefined}>
      <summary>{title}</summary>
      <PersonActionForm id={id} intent={intent} className={folds.form}>
        <p className={css.quiet}>{meaning}</p>
        <TextField
          id={`field-${intent}-reason`}
          name="reason"
          label="Motivo"
          help="De 10 a 300 caracteres. Queda en la bitácora."
          required
          minLength={10}
          maxLength={300}
          defaultValue={own?.values.reason ?? ''}
          errors={own?.errors.reason}
        />
        <SubmitButton variant="default">{button}</SubmitButton>
      </PersonActionForm>
    </details>
  )
}
