import type { DocumentKind } from '#server/domain/documents/document.ts'

/**
 * Words of file names by kind, without accents and in lower case. The first line with a word of the name decides, so the more
 * precise kinds stand first: a certified copy of a deed of power is a certified copy, a "carta poder" a power.
 */
const WORDS_OF_KINDS: readonly (readonly [DocumentKind, readonly string[]])[] = [
  // First: the public may not look it up.
  ['will', ['testamento', 'testamentos']],
  ['certified-copy', ['copia certificada', 'copias certificadas']],
  ['collation', ['cotejo', 'cotejos', 'cotejada', 'cotejado']],
  ['simple-copy', ['copia simple', 'copias simples']],
  ['ratification', ['ratificacion', 'ratificaciones']],
  ['annotation', ['nota complementaria', 'notas complementarias']],
  ['appendix', ['apendice', 'apendices']],
  ['draft', ['proyecto', 'borrador', 'minuta']],
  ['testimony', ['testimonio', 'testimonios']],
  ['power-of-attorney', ['poder', 'poderes', 'mandato']],
  ['certification', ['certificacion', 'certificaciones']],
  ['act', ['acta', 'actas', 'fe de hechos']],
  ['deed', ['escritura', 'escrituras']],
  ['contract', ['contrato', 'contratos', 'convenio', 'compraventa', 'arrendamiento']],
  ['notice', ['aviso', 'avisos']],
  ['letter', ['carta', 'oficio']],
]

/** Guesses the kind of a document from the name of its file; undefined if no word of the name says it. */
export function guessKind(fileName: string): DocumentKind | undefined {
  const words = ` ${wordsOf(fileName)} `
  return WORDS_OF_KINDS.find(([, known]) => known.some((word) => words.includes(` ${word} `)))?.[0]
}

/** `COPIA_certificada-Núñez.pdf` → `copia certificada nunez pdf`. */
const wordsOf = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
