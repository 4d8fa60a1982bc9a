import { expect, test } from 'vitest'
import { guessKind } from '#app/ui/upload/guess-kind.ts'

test.each([
  ['Poder general García.pdf', 'power-of-attorney'],
  ['carta-poder.pdf', 'power-of-attorney'],
  ['COPIA_CERTIFICADA_de_poder.pdf', 'certified-copy'],
  ['Cotejo 1234.pdf', 'collation'],
  ['Escritura 4,521 compraventa.pdf', 'deed'],
  ['Ratificación de firmas.pdf', 'ratification'],
  ['copia simple de acta.pdf', 'simple-copy'],
  ['Copia certificada de testamento.pdf', 'will'],
  ['Testimonio 45,213.pdf', 'testimony'],
  ['Proyecto de escritura.pdf', 'draft'],
  ['acta12.pdf', 'act'],
  ['ACTA CONSTITUTIVA.PDF', 'act'],
  ['Contrato de compraventa.pdf', 'contract'],
  ['aviso preventivo.pdf', 'notice'],
  ['Carta de instrucción.pdf', 'letter'],
])('kind of %s: %s', (name, kind) => {
  expect(guessKind(name)).toBe(kind)
})

test.each(['scan0001.pdf', 'redactado.pdf', 'podera.pdf', 'compactado.pdf', '.pdf', ''])(
  'kind of %s: not guessed',
  (name) => {
    expect(guessKind(name)).toBeUndefined()
  },
)

test('kind: guessed from a name whose accents are letters of their own', () => {
  expect(guessKind('Copia Certificáda.pdf'.normalize('NFD'))).toBe('certified-copy')
})
