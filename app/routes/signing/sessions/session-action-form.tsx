import type { ReactNode } from 'react'
import { PostForm } from '#app/ui/forms/post-form.tsx'

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
    <PostForm
      action={`/dashboard/signing/${id}`}
      className={className}
      noValidate
      preventScrollReset
    >
      <input type="hidden" name="intent" value={intent} />
      {signerId && <input type="hidden" name="signerId" value={signerId} />}
      {children}
    </PostForm>
  )
}
