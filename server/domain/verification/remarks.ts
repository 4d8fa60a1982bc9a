import { certifiesInVain, type Permissions } from './allowed-changes.ts'
import type { Attack, Change } from './report.ts'

const ATTACKS: Record<Attack, string> = {
  'shadow-hide':
    'Después de firmar se quitó algo que se veía: así descubre lo que estaba tapado el ataque «shadow» que oculta (hide).',
  'shadow-replace':
    'Después de firmar se cambió cómo se ve un texto o un campo: así actúa el ataque «shadow» que sustituye (replace).',
  'shadow-hide-and-replace':
    'Lo que se muestra ahora estaba escondido en el archivo que se firmó: así actúa el ataque «shadow» que oculta y sustituye (hide and replace).',
  'incremental-saving':
    'Una revisión posterior cambia lo que se firmó: así actúa el ataque de guardado incremental.',
  'overlay-by-annotation':
    'Después de firmar se puso en una página algo que puede tapar lo firmado: así actúa el ataque de superposición con anotaciones.',
  'sneaky-sharing':
    'Un mismo objeto sirve a un campo y a otra parte del documento: así actúa el ataque de objetos compartidos (sneaky sharing).',
  'trailer-or-catalog-swap':
    'El archivo lleva ahora a otro documento que el firmado: así actúa la sustitución del tráiler o del catálogo.',
}

/** What else has to be said about a signature, es-MX: the attacks that were found, by their names, and vain words. */
export function remarksOf(signature: Permissions & { changes: readonly Change[] }): string[] {
  const attacks = new Set(signature.changes.flatMap(({ attack }) => (attack ? [attack] : [])))
  return [
    ...[...attacks].map((attack) => ATTACKS[attack]),
    ...(signature.changes.some(({ breaksLock }) => breaksLock)
      ? ['Se cambió un campo que la firma bloquea (FieldMDP).']
      : []),
    ...(certifiesInVain(signature)
      ? ['La firma dice certificar el documento, y solo la primera certificación cuenta.']
      : []),
  ]
}
