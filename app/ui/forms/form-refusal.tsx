import type { ReactNode } from 'react'
import { Notice } from '#app/ui/feedback/notice.tsx'

const FOCUSED = { tabIndex: -1, autoFocus: true } as const

type Props = {
  errors: readonly string[] | undefined
  /** A link to what can be done about it. */
  wayOn?: ReactNode
}

/** Why a form as a whole was refused. The focus begins there: the form may stand far below the top of the page. */
export function FormRefusal({ errors, wayOn }: Props) {
  const sentence = errors?.[0]
  if (sentence === undefined) return null
  return (
    <div data-form-refusal {...FOCUSED}>
      <Notice tone="bad">
        {sentence}
        {wayOn && <p>{wayOn}</p>}
      </Notice>
    </div>
  )
}
