import islandUrl from '#app/islands/code-from-fragment.ts?worker&url'
import { Island } from '#app/ui/island.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TextField } from '#app/ui/text-field.tsx'

type Props = {
  /** Sealed, of a form that came back. */
  kept: string | undefined
  errors: readonly string[] | undefined
}

/** The code of the link: put in by the script of the page, or typed. */
export function CodeFields({ kept, errors }: Props) {
  if (kept)
    return (
      <>
        <input type="hidden" name="keptCode" value={kept} />
        <Notice tone="good" isNews={false}>
          El código de activación quedó anotado: no hace falta escribirlo otra vez.
        </Notice>
      </>
    )
  return (
    <>
      <TextField
        name="code"
        label="Código de activación"
        help="Está en el enlace o en la hoja que le dieron. Sirve una sola vez, durante 24 horas."
        autoComplete="off"
        spellCheck={false}
        size="md"
        maxLength={200}
        required
        errors={errors}
        data-island="code-from-fragment"
      />
      <Island src={islandUrl} />
    </>
  )
}
