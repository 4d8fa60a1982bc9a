import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useHydrated } from 'remix-utils/use-hydrated'
import { FileField } from '#app/ui/forms/file-field.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { documentKinds } from '#server/words/documents.ts'
import { isUnsendable, type UploadLimits } from './chosen-file.ts'
import { ChosenFileList, GUESSED } from './chosen-file-list.tsx'
import { DropAnywhere } from './drop-anywhere.tsx'
import { clearFilled, fillIn, NOTHING_FILLED, sharedIn } from './filled-fields.ts'
import { KnownFiles } from './known-files.tsx'
import css from './upload-fields.module.css'
import type { useUploads } from './use-uploads.ts'

type Props = {
  uploads: ReturnType<typeof useUploads>
  limits: UploadLimits
  /** Between kind and file. */
  children: ReactNode
}

/**
 * Title, kind and files of an upload. A single file takes its title and kind from the fields of the form, which its name fills in;
 * of several, each has its own in the list. The file input always holds the files of the list, so that the form is whole for the
 * browser, too.
 */
export function UploadFields({ uploads, limits, children }: Props) {
  const { answer, chosen, isOwn, notes, add, remove, change } = uploads
  const { errors, values } = answer
  const input = useRef<HTMLInputElement>(null)
  const [filled, setFilled] = useState(NOTHING_FILLED)
  const isHydrated = useHydrated()
  const alone = isOwn ? undefined : chosen[0]

  function choose(files: readonly File[], leftOut: readonly string[] = []) {
    const form = input.current?.form
    if (!form) return
    const next = add(files, sharedIn(form, filled), leftOut)
    if (next.length === 1 && next[0]) setFilled(fillIn(form, next[0], filled))
  }
  function leave(key: number) {
    const form = input.current?.form
    if (form && chosen.length === 1) setFilled(clearFilled(form, filled))
    remove(key)
  }

  const takeEarly = useEffectEvent(() => choose([...(input.current?.files ?? [])]))
  // Chosen before the script ran.
  useEffect(() => {
    if (input.current?.files?.length) takeEarly()
  }, [])
  useEffect(() => {
    if (!input.current || !isHydrated) return
    const transfer = new DataTransfer()
    for (const one of chosen) if (!isUnsendable(one)) transfer.items.add(one.file)
    input.current.files = transfer.files
  }, [chosen, isHydrated])

  const fault = errors?.file ?? (alone?.fault ? [alone.fault.sentence] : undefined)
  return (
    <>
      <div className={css.shared} hidden={isOwn}>
        <TextField
          name="title"
          label="Título"
          help="Como lo buscará después: acto, partes o número de instrumento."
          required={alone !== undefined}
          defaultValue={values?.title ?? ''}
          errors={errors?.title}
        />
        <SelectField
          name="kind"
          label="Tipo de documento"
          help={alone && filled.isGuessed ? GUESSED : undefined}
          data={KINDS}
          defaultValue={values?.kind ?? 'other'}
          errors={errors?.kind}
        />
      </div>
      {children}
      {answer.known && answer.known.length > 0 && <KnownFiles known={answer.known} />}
      <FileField
        ref={input}
        name="file"
        label="Archivo PDF"
        accept=".pdf,application/pdf"
        help={helpText(limits, isOwn)}
        required
        multiple
        onChosen={choose}
        errors={fault}
      />
      <p className={css.drop} data-ready={isHydrated}>
        También puede soltar los archivos en cualquier parte de la página.
      </p>
      {isHydrated && (
        <DropAnywhere onDrop={(files, folders) => choose(files, folders > 0 ? [FOLDERS] : [])} />
      )}
      <div role="status" className={css.notes}>
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
      {chosen.length > 0 && (
        <ChosenFileList chosen={chosen} isOwn={isOwn} onRemove={leave} onChange={change} />
      )}
    </>
  )
}

const KINDS = Object.entries(documentKinds).map(([value, label]) => ({ value, label }))

const FOLDERS = 'Las carpetas no se agregan: ábralas y suelte los archivos que tienen dentro.'

const helpText = ({ megabytes, files }: UploadLimits, isOwn: boolean) =>
  `Un PDF sin contraseña, hasta ${megabytes} MB. Si ya trae firmas, se conservan. Si elige varios, hasta ${files}, ${
    isOwn
      ? 'cada uno queda como un documento, con su título y su tipo; los datos del instrumento valen para todos.'
      : 'cada uno queda como un documento, con este tipo y estos datos; su título lleva además el nombre del archivo, o solo ese nombre si deja el título vacío. Si elige uno solo, el título es obligatorio.'
  }`
