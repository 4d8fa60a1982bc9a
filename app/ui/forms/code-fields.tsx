import islandUrl from '#app/islands/code-from-fragment.ts?worker&url'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { Island } from '#app/ui/frame/island.tsx'
import css from './code-fields.module.css'
import { TextField } from './text-field.tsx'

type Props = {
  /** The sealed code of a form that is shown again. */
  kept: string | undefined
  errors: readonly string[] | undefined
  /** What the code opens. */
  purpose?: keyof typeof WORDS
}

const WORDS = {
  activation: {
    label: 'Código de activación',
    help: 'Está en el enlace o en la hoja que le dieron. Sirve una sola vez, durante 24 horas.',
    kept: 'El código de activación quedó anotado: no hace falta escribirlo otra vez.',
  },
  access: {
    label: 'Código del enlace',
    help: 'Está en el enlace o en la hoja que le dieron. Sirve una sola vez, durante 24 horas.',
    kept: 'El código del enlace quedó anotado: no hace falta escribirlo otra vez.',
  },
  signing: {
    label: 'Código del enlace',
    help: 'Está en el enlace que le enviaron o en la pantalla de la notaría. Se abre una sola vez.',
    kept: 'El código del enlace quedó anotado: no hace falta escribirlo otra vez.',
  },
}

/** The code of a link: filled in by the page's script, or typed. */
export function CodeFields({ kept, errors, purpose = 'activation' }: Props) {
  const words = WORDS[purpose]
  if (kept)
    return (
      <>
        <input type="hidden" name="keptCode" value={kept} />
        <Notice tone="good" isLive={false}>
          {words.kept}
        </Notice>
      </>
    )
  return (
    <>
      <div className={css.code}>
        <TextField
          name="code"
          label={words.label}
          help={words.help}
          autoComplete="off"
          spellCheck={false}
          size="md"
          maxLength={200}
          required
          errors={errors}
          data-island="code-from-fragment"
        />
      </div>
      <Island src={islandUrl} />
    </>
  )
}
