import { formatDay, formatInstant } from '#server/domain/time.ts'
import type { DocumentArchive } from '#server/features/documents/read-document.ts'

const FAULTS: Record<string, string> = {
  'timestamp-unavailable': 'ninguna autoridad dio el sello de tiempo',
  'no-answer': 'nadie respondió sobre la revocación de los certificados',
  'signing-forbidden-by-document': 'el archivo no admite lo que habría que agregarle',
}

/** Returns the state of the long-term evidence, es-MX; null if the office requires none. */
export function archiveWords(archive: DocumentArchive | null, zone: string): string | null {
  if (!archive) return null
  if (archive.kind === 'kept') return `Lista; se renueva el ${formatDay(archive.renewsAt, zone)}`
  if (archive.kind === 'left-out')
    return 'No se agrega: el archivo está certificado contra cualquier cambio. Sus firmas valen como están.'
  if (archive.fault === null) return 'Pendiente'
  const reason = FAULTS[archive.fault] ?? 'no se pudo completar'
  return `Pendiente: ${reason}. Se intenta de nuevo el ${formatInstant(archive.nextTry, zone)}`
}
