import type { CopyKind, CopyMedium } from '#server/domain/documents/copies/issued-copy.ts'
import { type Noun, ordinalBefore } from './ordinals.ts'

/* Words about the copies that an office issues, es-MX. */

const NOUNS: Record<CopyKind, Noun> = {
  testimony: { text: 'testimonio', gender: 'masculine' },
  'certified-copy': { text: 'copia certificada', gender: 'feminine' },
  'simple-copy': { text: 'copia simple', gender: 'feminine' },
  certification: { text: 'certificación', gender: 'feminine' },
}

export const copyKinds: Record<CopyKind, string> = {
  testimony: 'Testimonio',
  'certified-copy': 'Copia certificada',
  'simple-copy': 'Copia simple',
  certification: 'Certificación',
}

export const copyMedia: Record<CopyMedium['kind'], string> = {
  paper: 'Papel',
  electronic: 'Electrónico',
}

/** `Segundo testimonio` */
export function copyName(kind: CopyKind, ordinal: number): string {
  const name = copyNameWithin(kind, ordinal)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** `segundo testimonio`, within a sentence. */
const copyNameWithin = (kind: CopyKind, ordinal: number): string =>
  ordinalBefore(ordinal, NOUNS[kind])

/** `del segundo testimonio`, `de la primera copia simple` */
export const ofTheCopy = (kind: CopyKind, ordinal: number): string =>
  `${NOUNS[kind].gender === 'masculine' ? 'del' : 'de la'} ${copyNameWithin(kind, ordinal)}`
