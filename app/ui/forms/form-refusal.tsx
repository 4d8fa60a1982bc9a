import { Notice } from '#app/ui/feedback/notice.tsx'

const FOCUSED = { tabIndex: -1, autoFocus: true } as const

type Props = { errors: readonly string[] | undefined }

/** Why a form as a whole was refused. The focus begins there: the form may stand far below the top of the page. */
export function FormRefusal({ errors }: Props) {
  const sentence = errors?.[0]
  if (sentence === undefined) return null
  return (
    <div data-form-refusal {...FOCUSED}>
      <Notice tone="bad">{sentence}</Notice>
    </div>
  )
}
