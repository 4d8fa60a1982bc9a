import { useEffect, useRef, useState } from 'react'
import { FileField } from '#app/ui/forms/file-field.tsx'
import { instantAt } from '#server/domain/asn1/der-time.ts'
import type { DescribedFile } from '#server/domain/efirma/describe-file.ts'
import type { Instant } from '#server/domain/time.ts'
import css from './file.module.css'
import { FileDescription } from './file-description.tsx'
import { PasswordTrial } from './password-trial.tsx'

type Props = {
  zone: string
  /** By the server's clock: the one of the device may be wrong. */
  now: Instant
}

/** Says what the chosen files are. They are read in the page: no field has a name, so that no form can send them. */
export function ChosenFiles({ zone, now }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<readonly Described[]>([])
  const [clock] = useState(() => clockFrom(now))

  // Files that were chosen before the script ran.
  useEffect(() => {
    const early = [...(input.current?.files ?? [])]
    if (early.length > 0) void describeAll(early, clock()).then(setChosen)
  }, [clock])

  const hasSecret = chosen.some(({ file: { kind } }) => kind === 'private-key' || kind === 'pkcs12')
  return (
    <>
      <FileField
        ref={input}
        id="chosen-files"
        label="Archivos"
        accept=".cer,.crt,.pem,.key,.p12,.pfx,.req,.ren,.sdg"
        help="Elija uno o varios, o suéltelos aquí: certificado (.cer), clave privada (.key), .p12. Se leen en su equipo y no salen de él."
        multiple
        onChosen={(files) => void describeAll(files, clock()).then(setChosen)}
      />
      <ul className={css.files} aria-live="polite">
        {chosen.map(({ place, source, file }) => (
          <li key={place} className={css.file}>
            <h2 className={css.name}>{source.name}</h2>
            <FileDescription file={file} zone={zone} />
          </li>
        ))}
      </ul>
      {hasSecret && (
        <PasswordTrial files={chosen.map(({ source }) => source)} zone={zone} clock={clock} />
      )}
    </>
  )
}

type Described = { place: number; source: File; file: DescribedFile }

/** An e.firma has two files; people have old and new ones. */
const MOST_FILES = 10

async function describeAll(files: readonly File[], now: Instant): Promise<Described[]> {
  const { describeFile, LONGEST_DESCRIBED } = await import('#server/domain/efirma/describe-file.ts')
  const described = files.slice(0, MOST_FILES).map(async (source, place) => {
    const bytes = new Uint8Array(await source.slice(0, LONGEST_DESCRIBED + 1).arrayBuffer())
    const file = describeFile(bytes, now)
    bytes.fill(0)
    return { place, source, file }
  })
  return await Promise.all(described)
}

/** A clock that advances with the page. */
function clockFrom(now: Instant): () => Instant {
  const begun = performance.now()
  return () => instantAt(Math.floor(now + performance.now() - begun))
}
