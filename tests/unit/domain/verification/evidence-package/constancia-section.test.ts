import { beforeAll, expect, test } from 'vitest'
import { basicConstraints, keyUsage } from '#server/demo/certificate-minting.ts'
import { integer, sequence } from '#server/domain/asn1/der-writer.ts'
import { constanciaSection } from '#server/domain/verification/evidence-package/constancia-section.ts'
import { TEST_NOW, testAnchor, testAuthority } from '#tests/support/authorities/test-authority.ts'
import {
  type StampingAuthority,
  stampingAuthority,
  stampOver,
} from '#tests/support/authorities/time-stamps.ts'
import { aConstancia } from '#tests/support/pdf/verification-reports.ts'

let provider: StampingAuthority
let trust: Parameters<typeof constanciaSection>[2]
beforeAll(async () => {
  const extensions = [basicConstraints({ isAuthority: false }), keyUsage(0xc0, 6, true)]
  provider = await stampingAuthority({ name: 'PSC de prueba', extensions })
  trust = { anchors: [await testAnchor()], candidates: [(await testAuthority()).issuing] }
}, 60_000)

const token = () => stampOver(Buffer.from('Escritura 12,345'), { by: provider, time: TEST_NOW })
/** @see RFC 3161, 2.4.2 */
const granted = () => sequence(sequence(integer(0)), token())
const REFUSED = sequence(sequence(integer(2)))

const sectionOf = (answer: Uint8Array, anchors = trust.anchors, report = aConstancia()) =>
  constanciaSection(answer, report, { ...trust, anchors }, 'UTC')

test('the constancia is proven with its provider, its chain and the digest of the file', () => {
  const answer = granted()
  const section = sectionOf(answer)
  expect(section).toMatchObject({
    title: {
      about: 'Constancia de conservación (NOM-151)',
      of: { kind: 'provider', provider: { authority: 'Prestador de prueba', vouched: true } },
    },
    files: [
      { name: 'constancia/constancia.asn1', bytes: answer },
      { name: 'constancia/constancia.tst' },
      { name: 'constancia/cadena.pem' },
    ],
  })
  expect(section?.commands).toEqual([
    `openssl cms -verify -inform DER -in constancia/constancia.tst -CAfile constancia/cadena.pem -attime ${TEST_NOW / 1000} -purpose any -out constancia.der`,
    'openssl asn1parse -inform DER -in constancia.der | grep -q -i "$(sha256sum firmado.pdf | cut -c 1-64)"',
  ])
  expect(section?.sentences).toHaveLength(2)
  expect(section?.roots).toEqual(section?.chains.map(({ root }) => root))
  expect(section?.chains).toHaveLength(1)
})

test('without the root of the provider, the section says what is not proven', () => {
  const section = sectionOf(granted(), [])
  expect(section?.commands[0]).toContain(' -noverify ')
  expect(section?.sentences.at(-1)).toContain('No se conoce la raíz del prestador')
  expect(section).toMatchObject({ roots: [], chains: [], files: [{}, {}] })
})

test('a constancia over the document of an earlier revision is proven over its first bytes', () => {
  const section = sectionOf(granted(), undefined, aConstancia({ revisionBytes: 4521 }))
  expect(section?.sentences[0]).toContain('los primeros 4521 bytes de firmado.pdf')
  expect(section?.commands[1]).toContain('$(head -c 4521 firmado.pdf | sha256sum | cut -c 1-64)')
})

test('an answer of a provider that refused proves nothing', () => {
  expect(sectionOf(REFUSED)).toBeUndefined()
})
