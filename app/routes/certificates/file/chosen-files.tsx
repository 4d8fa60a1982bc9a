import { useEffect, useRef, useState } from 'react'
import { errors } from '#app/messages/errors.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { FileField } from '#app/ui/forms/file-field.tsx'
import { instantAt } from '#server/domain/asn1/der-time.ts'
import type { DescribedFile } from '#server/domain/efirma/describe-file.ts'
import type { Instant } from '#server/domain/time.ts'
import css from './file.module.css'
import { FileDescription } from './file-description.tsx'
import { firstBytes, UNREADABLE } from './first-bytes.ts'
import { PasswordTrial } from './password-trial.tsx'

type Props = {
  zone: string
  /** By the server's clock: the one of the device may be wrong. */
  now: Instant
}

/** What was chosen at one time. */
type Choice = {
  number: number
  files: readonly { place: number; source: File; file: DescribedFile }[]
  /** Why they are not described, or not all of them. */
  fault?: string | undefined
}

/** Says what the chosen files are. They are read in the page: no field has a name, so that no form can send them. */
export function ChosenFiles({ zone, now }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [choice, setChoice] = useState<Choice>({ number: 0, files: [] })
  const [clock] = useState(() => clockFrom(now))

  // Files that were chosen before the script ran.
  useEffect(() => {
    const early = [...(input.current?.files ?? [])]
    if (early.length > 0) void describeAll(early, clock()).then(setChoice)
  }, [clock])

  /** One that was chosen meanwhile is described instead. */
  async function choose(files: readonly File[]) {
    const described = await describeAll(files, clock())
    setChoice((shown) => (shown.number > described.number ? shown : described))
  }

  const { number, files, fault } = choice
  const hasSecret = files.some(({ file: { kind } }) => kind === 'private-key' || kind === 'pkcs12')
  return (
    <>
      <FileField
        ref={input}
        id="chosen-files"
        label="Archivos"
        accept=".cer,.crt,.pem,.key,.p12,.pfx,.req,.ren,.sdg"
        help="Elija hasta diez, o suéltelos aquí: certificado (.cer), clave privada (.key), .p12. Se leen en su equipo y no salen de él."
        multiple
        onChosen={(chosen) => void choose(chosen)}
      />
      <div aria-live="polite" className={css.answer}>
        {fault && <Notice tone={files.length > 0 ? 'note' : 'bad'}>{fault}</Notice>}
        <ul className={css.files}>
          {files.map(({ place, source, file }) => (
            <li key={place} className={css.file}>
              <h2 className={css.name}>{source.name}</h2>
              <FileDescription file={file} zone={zone} />
            </li>
          ))}
        </ul>
      </div>
      {hasSecret && (
        <PasswordTrial
          key={number}
          files={files.map(({ source }) => source)}
          zone={zone}
          clock={clock}
        />
      )}
    </>
  )
}

/** An e.firma has two files; people have old and new ones. */
const MOST_FILES = 10
const TOO_MANY = `Se muestran los primeros ${MOST_FILES} archivos.`

let choices = 0

/** Never throws: a fault is part of the choice. */
async function describeAll(files: readonly File[], now: Instant): Promise<Choice> {
  choices += 1
  const number = choices
  const module = await import('#server/domain/efirma/describe-file.ts').catch(() => undefined)
  if (!module) return { number, files: [], fault: errors.connection }
  const described = files.slice(0, MOST_FILES).map(async (source, place) => {
    const bytes = await firstBytes(source)
    const file = module.describeFile(bytes, now)
    bytes.fill(0)
    return { place, source, file }
  })
  try {
    const fault = files.length > MOST_FILES ? TOO_MANY : undefined
    return { number, files: await Promise.all(described), fault }
  } catch {
    return { number, files: [], fault: UNREADABLE }
  }
}

/** A clock that advances with the page. */
function clockFrom(now: Instant): () => Instant {
  const begun = performance.now()
  return () => instantAt(Math.floor(now + performance.now() - begun))
}
