import type { ReactNode } from 'react'
import type { FormErrors } from '#app/http/forms.ts'
import { useIsKeptForm } from '#app/ui/forms/kept-values.ts'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import folds from '#app/ui/lists/folds.module.css'
import type { KeyForm } from './key-forms.ts'

/** A refused form: which one, and what was typed. */
export type Fault = { intent: string; errors: FormErrors; values: Record<string, string> }

type Props = {
  yubikey: { id: string; version: number }
  intent: KeyForm['intent']
  className?: string | undefined
  children: ReactNode
}

/** One of the page's forms; it says which version of the key its user saw. */
export function KeyActionForm({ yubikey, intent, className, children }: Props) {
  const path = `/dashboard/certificates/keys/${yubikey.id}`
  return (
    <PostForm action={path} className={className} noValidate preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="version" value={yubikey.version} />
      {children}
    </PostForm>
  )
}

/** What stops a key from opening accounts. */
const ENDINGS: ReadonlySet<KeyForm['intent']> = new Set(['lost', 'retire'])

type FoldProps = Props & {
  title: string
  /** What follows, said before. */
  meaning: ReactNode
  fault: Fault | undefined
}

/** A form behind a step that says what follows; open if it was refused. */
export function FoldedAction({ title, meaning, fault, children, ...form }: FoldProps) {
  const path = `/dashboard/certificates/keys/${form.yubikey.id}`
  const isKept = useIsKeptForm(path, { intent: form.intent })
  return (
    <details className={folds.fold} open={isKept || fault?.intent === form.intent}>
      <summary data-ending={ENDINGS.has(form.intent) || undefined}>{title}</summary>
      <KeyActionForm {...form} className={folds.form}>
        <p>{meaning}</p>
        {children}
      </KeyActionForm>
    </details>
  )
}
