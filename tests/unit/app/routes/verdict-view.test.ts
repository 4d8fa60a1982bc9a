import { expect, test } from 'vitest'
import {
  fileFacts,
  notFoundView,
  type VerdictView,
  verdictView,
} from '#app/routes/verification/verdict-view.ts'
import { type ChangeFact, changeFact } from '#server/domain/verification/codes/change-codes.ts'
import { warning } from '#server/domain/verification/codes/warning.ts'
import type { Change, SignatureReport } from '#server/domain/verification/report.ts'
import { aSignatureReport, aVerificationReport } from '#tests/support/pdf/verification-reports.ts'

const signature = aSignatureReport()
const report = aVerificationReport()

const zone = 'America/Mexico_City'
const cardsOf = ({ timeline }: VerdictView) =>
  timeline.filter((entry) => entry.kind === 'signature')
const masked = { zone, isDemo: false, names: 'masked' } as const

test('public verdict: masks name, RFC and CURP', () => {
  const shown = JSON.stringify([verdictView(report, masked), fileFacts(report)])
  expect(shown).toContain('M**** F******* N****')
  expect(shown).toContain('NUÑ*******AB1')
  expect(shown).not.toMatch(/FERNANDA|NÚÑEZ|NUÑF800101|NUXF800101|maría/iu)
})

test('public verdict: a notary is named with their capacity, and only they', () => {
  const other = { ...signature, field: 'Firma2' }
  const both = { ...report, signatures: [signature, other] }
  const characterOf = ({ field }: { field: string }) =>
    field === signature.field
      ? ({ kind: 'notarial', capacity: 'suplente' } as const)
      : ({ kind: 'lawyer' } as const)
  const [notary, lawyer] = cardsOf(verdictView(both, { ...masked, characterOf }))
  expect(notary?.title).toContain('MARÍA FERNANDA NÚÑEZ')
  expect(notary?.facts).toContainEqual({ name: 'Carácter', value: 'Notario suplente' })
  expect(JSON.stringify(notary)).not.toMatch(/NUÑF800101|NUXF800101/)
  expect(lawyer?.title).toBe('M**** F******* N****')
  expect(JSON.stringify(lawyer)).not.toMatch(/Notario|Abogado/)
  const altered = { ...signature, intact: false }
  const [broken] = cardsOf(
    verdictView({ ...report, signatures: [altered] }, { ...masked, characterOf }),
  )
  expect(broken?.title).toBe('M**** F******* N****')
})

test('fields that are called like their signers are not named either', () => {
  const fact = changeFact('field-signed', { field: 'María Fernanda' })
  const change = { revision: 2, level: 'FORM_FILLING', object: '9 0', ...fact } as const
  const named = { ...signature, field: 'María Fernanda', changes: [change] }
  const shown = JSON.stringify(
    cardsOf(verdictView({ ...report, signatures: [named] }, masked))[0]?.details,
  )
  expect(shown).not.toMatch(/maría/iu)
  const [view] = cardsOf(verdictView({ ...report, signatures: [named] }, masked))
  expect(view?.changes).toHaveLength(1)
  expect(JSON.stringify(view)).not.toMatch(/maría/iu)
})

test('verdict on an uploaded file: names the signers but not their CURP', () => {
  const shown = JSON.stringify(verdictView(report, { ...masked, names: 'whole' }))
  expect(shown).toContain('MARÍA FERNANDA NÚÑEZ')
  expect(shown).toContain('NUÑF800101AB1')
  expect(shown).not.toContain('NUXF800101')
})

test('a timestamp in a field of its own is no signature, and nothing of it is called one', () => {
  const change = {
    revision: 3,
    level: 'LTA_UPDATES',
    object: '9 0',
    ...changeFact('validation-data-added'),
  } as const
  const stamp: SignatureReport = {
    ...signature,
    kind: 'document-timestamp',
    provenTime: signature.claimedTime,
    changes: [change],
  }
  const view = verdictView({ ...report, signatures: [signature, stamp] }, masked)
  expect(view.signatures).toBe(1)
  const [, card] = cardsOf(view)
  expect(card).toMatchObject({ afterwards: 'Después de este sello' })
  const said = [card?.when, card?.checks, card?.facts.map(({ name }) => name)]
  expect(JSON.stringify(said)).not.toMatch(/firm/i)
})

test('the sentence stays exact, and "de prueba" stands beside it', () => {
  const real = verdictView(report, masked)
  expect(real).toMatchObject({
    sentence: 'Documento íntegro y firmado.',
    isTest: false,
    tone: 'good',
  })
  const demo = { ...report, signatures: [{ ...signature, forTesting: true }] }
  expect(verdictView(demo, masked)).toMatchObject({ sentence: real.sentence, isTest: true })
  expect(verdictView(report, { ...masked, isDemo: true }).isTest).toBe(true)
})

test('public verdict: an unknown code says only that', () => {
  const view = notFoundView(false)
  expect(view.sentence).toBe('No encontrado. Esto no significa que sea falso.')
  expect([view.timeline, view.warnings]).toEqual([[], []])
})

test('signatures stand in the order of their times', () => {
  const earlier = { ...signature, field: 'Firma0', claimedTime: '2026-11-19T15:05:00-06:00' }
  const view = verdictView({ ...report, signatures: [signature, earlier] }, masked)
  expect(cardsOf(view).map(({ field }) => field)).toEqual(['Firma0', 'Firma1'])
  expect(cardsOf(view)[1]?.when).toBe('20 nov 2026, 09:05 (hora del centro), según quien firmó')
})

test.each<[string, Partial<SignatureReport>, string[]]>([
  [
    'altered',
    { intact: false, warnings: [warning('signed-content-differs')] },
    ['Lo que se firmó fue alterado'],
  ],
  [
    'that cannot be compared',
    { intact: false, warnings: [warning('format-unsupported', { format: 'X' })] },
    ['No se pudo comprobar que lo que se firmó esté íntegro'],
  ],
  [
    'false',
    { valid: false, warnings: [warning('signature-differs')] },
    ['La firma no corresponde al certificado'],
  ],
  [
    'without a certificate',
    { valid: false, warnings: [warning('signer-certificate-missing')] },
    ['No se pudo comprobar que la firma corresponda al certificado'],
  ],
  [
    'of an unknown authority',
    { trusted: false, signer: { ...signature.signer!, vouched: false } },
    ['No se reconoce a la autoridad que emitió el certificado'],
  ],
  [
    'whose certificate had expired',
    { trusted: false },
    ['No está probado que el certificado estuviera vigente al firmar'],
  ],
  [
    'followed by changes',
    { modification: 'OTHER' },
    ['Cambios después de firmar: se cambió el documento'],
  ],
])('checks of a signature: one %s says what is known', (_, changes, said) => {
  const [view] = cardsOf(
    verdictView({ ...report, signatures: [{ ...signature, ...changes }] }, masked),
  )
  const failed = view?.checks.filter(({ isGood }) => !isGood).map(({ text }) => text)
  expect(failed).toEqual(said)
})

test('checks of a signature: an altered file is not said to have no changes', () => {
  const altered = { intact: false, warnings: [warning('signed-content-differs')] }
  const [view] = cardsOf(viewOf(altered))
  expect(view?.checks.map(({ text }) => text).join()).not.toContain('Cambios')
  const [followed] = cardsOf(viewOf({ ...altered, modification: 'OTHER' }))
  expect(followed?.checks.map(({ text }) => text).join()).toContain('se cambió el documento')
})

test.each<[string, Partial<SignatureReport>]>([
  ['whose end in the file is not clear', { coverage: 'UNCLEAR' }],
  [
    'followed by bytes that readers repair',
    { warnings: [warning('irregular-after-signature', { byte: 100 })] },
  ],
  ['that can be read in two ways', { warnings: [warning('signed-in-two-ways')] }],
])('checks of a signature: one %s is not said to have no changes', (_, changes) => {
  const [view] = cardsOf(viewOf(changes))
  expect(view?.checks.map(({ text }) => text).join()).not.toContain('Cambios')
})

const viewOf = (...changed: Partial<SignatureReport>[]) =>
  verdictView({ ...report, signatures: changed.map((one) => ({ ...signature, ...one })) }, masked)

test('changes stand under their pages, each once, and at the end of the line of time', () => {
  const change = (page: number | undefined, fact: ChangeFact): Change => ({
    ...({ revision: 3, level: 'OTHER', object: '17 0' } as const),
    ...fact,
    ...(page !== undefined && { page }),
  })
  const view = viewOf({
    modification: 'OTHER',
    changes: [
      change(10, changeFact('page-content-replaced', { page: 10 })),
      change(2, changeFact('annotation-added', { page: 2 })),
      change(2, changeFact('annotation-added', { page: 2 })),
      change(undefined, changeFact('structure-changed')),
    ],
  })
  expect(cardsOf(view)[0]?.changes).toEqual([
    {
      title: 'En el archivo',
      sentences: [
        'Se cambió la estructura del documento (la que leen los programas de accesibilidad).',
      ],
    },
    { title: 'Página 2', sentences: ['Se agregó una anotación en la página 2.'] },
    { title: 'Página 10', sentences: ['Se cambió el contenido de la página 10.'] },
  ])
  expect(view.timeline.at(-1)).toMatchObject({
    kind: 'event',
    tone: 'bad',
    text: 'Se cambió el documento después de firmarse (páginas 2, 10)',
  })
})

test('timestamps are placed on the timeline after what they prove, and in the card', () => {
  const stamp = {
    kind: 'signature',
    valid: true,
    time: '2026-11-20T15:06:00.000Z',
    authority: 'Autoridad de sellos',
    vouched: true,
    trusted: true,
    reason: null,
  } as const
  const view = viewOf(
    { provenTime: stamp.time, timestamps: [stamp] },
    {
      field: 'Firma2',
      claimedTime: '2026-11-20T16:00:00.000Z',
      timestamps: [{ ...stamp, kind: 'document' }],
    },
  )
  const texts = view.timeline.map((entry) => (entry.kind === 'event' ? entry.text : entry.field))
  expect(texts).toEqual([
    'Firma1',
    'Sello digital de tiempo de la firma · Autoridad de sellos',
    'Firma2',
  ])
  expect(cardsOf(view)[0]).toMatchObject({
    when: '20 nov 2026, 09:06 (hora del centro), probado por un sello de tiempo',
    facts: expect.arrayContaining([
      { name: 'Hora según quien firmó', value: '20 nov 2026, 09:05 (hora del centro)' },
      {
        name: 'Sello digital de tiempo de la firma',
        value: '20 nov 2026, 09:06 (hora del centro), Autoridad de sellos, válido',
      },
    ]),
  })
})

test('a timestamp that does not count says why', () => {
  const reason = warning('timestamp-imprint-differs')
  const stamp = {
    kind: 'constancia',
    valid: false,
    time: null,
    authority: null,
    vouched: false,
    trusted: false,
    reason,
  } as const
  const view = viewOf({ timestamps: [stamp] })
  expect(view.timeline).toHaveLength(1)
  expect(cardsOf(view)[0]?.facts[0]).toEqual({
    name: 'Constancia de conservación (NOM-151)',
    value: 'no válido. El sello de tiempo es de otros datos.',
  })
})

test.each([
  [{ status: 'unknown' }, 'No comprobada'],
  [
    { status: 'good', source: 'ocsp', checkedAt: '2026-11-20T15:07:00.000Z' },
    'El certificado no había sido revocado, según la respuesta OCSP de la autoridad del 20 nov 2026, 09:07 (hora del centro)',
  ],
  [
    { status: 'good', source: 'embedded', revokedAt: '2026-12-01T18:00:00.000Z' },
    'El certificado no había sido revocado; lo fue después, el 01 dic 2026, 12:00 (hora del centro), según la respuesta de la autoridad que trae el archivo',
  ],
  [
    {
      status: 'revoked',
      source: 'crl',
      revokedAt: '2026-11-01T18:00:00.000Z',
      reason: 'superseded',
    },
    'El certificado fue revocado el 01 nov 2026, 12:00 (hora del centro) (se sustituyó por otro), según la lista de revocación de la autoridad',
  ],
] as const)('revocation: states result, time and source', (revocation, value) => {
  const view = viewOf({ revocation: { ...signature.revocation, ...revocation } })
  expect(cardsOf(view)[0]?.facts).toContainEqual({ name: 'Revocación', value })
})
