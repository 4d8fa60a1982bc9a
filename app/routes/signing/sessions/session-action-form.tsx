import type { ReactNode } from 'react'
import { Form } from 'react-router'
import { CsrfField } from '#app/ui/forms/csrf-field.tsx'

type Props = {
  id: string
  intent: string
  signerId?: string
  className?: string | undefined
  children: ReactNode
}

/** One of the page's forms; it always posts to this page. */
export function SessionActionForm({ id, intent, signerId, className, children }: Props) {
  return (
    <Form
      method="post"
      action={`/dashboard/signing/${id}`}
      className={className}
      noValidate
      preventScrollReset
    >
      <CsrfField />
      <input type="hidden" name="intent" value={intent} />
      {signerId && <input type="hidden" name="signerId" value={signerId} />}
      {children}
    </Form>
  )
}
