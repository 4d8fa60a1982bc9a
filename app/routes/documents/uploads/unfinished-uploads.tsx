import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { sizeText } from '#app/ui/text/size-text.ts'
import css from './unfinished-uploads.module.css'

export type UnfinishedView = {
  id: string
  name: string
  bytes: number
  /** Bytes that are stored. */
  here: number
  expires: string
}

type Props = {
  uploads: readonly UnfinishedView[]
  /** Those that the page is sending are listed there. */
  chosen: readonly { file: Pick<File, 'name' | 'size'> }[]
}

/** The user's uploads that stopped on the way: to go on, the same file is chosen again. */
export function UnfinishedUploads({ uploads, chosen }: Props) {
  const waiting = uploads.filter(
    ({ name, bytes }) => !chosen.some(({ file }) => file.name === name && file.size === bytes),
  )
  if (waiting.length === 0) return null
  return (
    <div className={css.section}>
      <Sheet title="Subidas sin terminar">
        <p>
          Para seguir donde se quedó, elija otra vez el mismo archivo abajo.
          <noscript> En este navegador se envía completo.</noscript>
        </p>
        <ul className={css.list}>
          {waiting.map((one) => (
            <li key={one.id}>
              <div className={css.facts}>
                <strong className={css.name}>{one.name}</strong>
                <progress
                  className={css.progress}
                  value={one.here}
                  max={one.bytes}
                  aria-label={`Enviado de ${one.name}`}
                />
                <span className={css.quiet}>
                  {sizeText(one.here)} de {sizeText(one.bytes)} (
                  {Math.floor((100 * one.here) / one.bytes)} %) · Se borra el {one.expires}
                </span>
              </div>
              <PostForm action={`/dashboard/documents/unfinished/${one.id}`}>
                <SubmitButton color="bad" variant="light" size="xs">
                  Descartar<span className="visually-hidden"> {one.name}</span>
                </SubmitButton>
              </PostForm>
            </li>
          ))}
        </ul>
      </Sheet>
    </div>
  )
}
