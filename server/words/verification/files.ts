import type { FileCodes } from '#server/domain/verification/codes/file-codes.ts'
import type { SentencesOf } from './words.ts'

/** What is odd about a file as a whole, es-MX. */
export const FILES: SentencesOf<FileCodes> = {
  'signatures-encrypted': () =>
    'El PDF está cifrado: las firmas que pueda tener no se pueden leer.',
  'part-unreadable': () => 'Una parte del archivo no se puede leer: podría contener firmas.',
  'cross-reference-damaged': () =>
    'La tabla de referencias está dañada: dos programas podrían ver dos documentos.',
  'written-in-two-ways': () =>
    'Una parte del documento está escrita de dos maneras: dos programas podrían ver dos documentos.',
  'data-after-document': () => 'Después del final del documento hay datos que no pertenecen a él.',
  'data-before-document': () => 'Antes del documento hay datos que no pertenecen a él.',
  'references-corrected': () =>
    'Algunas referencias del archivo son inexactas y se corrigieron al leerlo.',
  encrypted: () => 'El PDF está cifrado.',
  'signatures-left-out': ({ total, listed }) =>
    `El archivo tiene ${total} firmas y sellos; el informe los considera todos y aquí se muestran ${listed}.`,
  'changes-left-out': ({ total, listed }) =>
    `Después de las firmas se hicieron ${total} cambios; el informe los considera todos y aquí se muestran los ${listed} más graves.`,
  'fields-left-out': ({ total, listed }) =>
    `Las firmas bloquean ${total} campos por su nombre; el informe los considera todos y aquí se muestran ${listed}.`,
  'timestamps-left-out': ({ total, listed }) =>
    `Las firmas tienen ${total} sellos de tiempo; el informe los considera todos y aquí se muestran ${listed}.`,
  'warnings-left-out': ({ total, listed }) =>
    `Hay ${total} observaciones sobre las firmas; el informe las considera todas y aquí se muestran ${listed}.`,
  'too-complex-to-read': () => 'El PDF es demasiado complejo para leerlo.',
}
