import type { DocumentKind } from '#server/domain/documents/document.ts'
import { guessKind } from './guess-kind.ts'
import { faultOfTitle, titleAmong } from './title-of-file.ts'

/** A file that the user chose, and the document that it will be. */
export type ChosenFile = {
  readonly key: number
  readonly file: File
  title: string
  kind: DocumentKind
  /** Whether the kind is what the name of the file says, and the user has not changed it. */
  isGuessed: boolean
  /** Why it was not stored, es-MX. */
  fault: Fault | undefined
}

export type Fault = {
  sentence: string
  /** A file that is `unsendable` never leaves this machine; one that was refused may be sent again. */
  about: 'unsendable' | 'file' | 'title'
}

export type UploadLimits = {
  /** Of a file. */
  megabytes: number
  /** At once. */
  files: number
  /** Letters. */
  title: number
}

/** What the fields say that all files share. */
export type Shared = {
  /** Empty if the user typed none. */
  title: string
  /** Undefined if the user chose none. */
  kind: DocumentKind | undefined
}

/** Adds files to those that were chosen. Says which were left out and why: none disappears silently. */
export function withFiles(
  chosen: readonly ChosenFile[],
  files: readonly File[],
  { shared, limits }: { shared: Shared; limits: UploadLimits },
): { chosen: ChosenFile[]; notes: string[] } {
  // The user chooses others in place of those that were refused.
  const fine = chosen.filter(({ fault }) => !fault || fault.about === 'title')
  // A single one had the fields of the form.
  const kept =
    chosen.length > 1
      ? fine
      : fine.map((one) => ({ ...chosenFile(one.file, shared, limits), key: one.key }))
  const added: ChosenFile[] = []
  const notes: string[] = []
  let surplus = 0
  for (const file of files) {
    const isThere = [...kept, ...added].some((one) => isSame(one.file, file))
    if (isThere) notes.push(`${file.name} ya está en la lista.`)
    else if (kept.length + added.length >= limits.files) surplus += 1
    else added.push(chosenFile(file, shared, limits))
  }
  if (surplus > 0) notes.push(surplusNote(surplus, limits.files))
  return { chosen: [...kept, ...added], notes }
}

export const DEFAULT_KIND: DocumentKind = 'other'

let lastKey = 0

function chosenFile(file: File, shared: Shared, limits: UploadLimits): ChosenFile {
  const guessed = shared.kind ? undefined : guessKind(file.name)
  lastKey += 1
  return {
    key: lastKey,
    file,
    title: titleAmong(shared.title, file.name),
    kind: guessed ?? shared.kind ?? DEFAULT_KIND,
    isGuessed: guessed !== undefined,
    fault: faultOfFile(file, limits),
  }
}

/** Whether both are the same file of the disk, as far as a browser tells. */
const isSame = (one: File, other: File) =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified

/** What can be said about a file before it is sent. */
function faultOfFile({ name, size }: File, { megabytes }: UploadLimits): Fault | undefined {
  const sentence = /\.(?:key|p12|pfx)$/i.test(name)
    ? 'Es la clave privada de una e.firma, no un documento. No se envió: no la comparta con nadie.'
    : size > megabytes * MEGABYTE
      ? `El archivo supera el límite de ${megabytes} MB. No se envió; elija uno más pequeño.`
      : undefined
  return sentence === undefined ? undefined : { sentence, about: 'unsendable' }
}

/** The files whose titles are no titles get their fault. */
export const withTitleFaults = (chosen: readonly ChosenFile[], longest: number): ChosenFile[] =>
  chosen.map((one) => {
    if (isUnsendable(one)) return one
    const sentence = faultOfTitle(one.title, longest)
    return { ...one, fault: sentence === undefined ? undefined : { sentence, about: 'title' } }
  })

export const isUnsendable = ({ fault }: ChosenFile) => fault?.about === 'unsendable'

const surplusNote = (surplus: number, most: number) =>
  surplus === 1
    ? `Se pueden subir hasta ${most} a la vez: 1 archivo no se agregó.`
    : `Se pueden subir hasta ${most} a la vez: ${surplus} archivos no se agregaron.`

const MEGABYTE = 1024 * 1024
