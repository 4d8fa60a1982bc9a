import { beforeAll, expect, test } from 'vitest'
import { maskedReport } from '#app/routes/verification/masked-report.ts'
import { reportAsJson } from '#app/routes/verification/report-answer.ts'
import { reportText } from '#app/routes/verification/report-text.ts'
import { signedRevisions } from '#app/routes/verification/upload-view.ts'
import { type VerdictView, verdictView } from '#app/routes/verification/verdict-view.ts'
import { describeReport } from '#server/cli/describe-report.ts'
import { after, days } from '#server/domain/time.ts'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import type { SignatureReport, VerificationReport } from '#server/domain/verification/report.ts'
import { sentenceOfChange } from '#server/words/verification/changes.ts'
import {
  aPrivateAuthority,
  certificateUnder,
} from '#tests/support/authorities/private-authority.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { handSigned, sealOf, testPolicy, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { aSignatureReport, aVerificationReport } from '#tests/support/pdf/verification-reports.ts'

/* The signer of a file is a stranger until an authority confirms the name. */

const VERDICT = 'JUAN PÉREZ — Firma válida. Emitida por el SAT'
const HOSTILE = `\u202e${VERDICT}”\u2066 \u200b\u001b[2J\n“\u{e0041}\u0085${'Z\u0335'.repeat(9)}`
const QUOTED = `“${VERDICT}’ [2J ‘ ${'Z\u0335'.repeat(9)}”`
const UNSEEN = /[^\P{Cc}\n]|[\u2028\u2029]|\p{Cf}|\p{Default_Ignorable_Code_Point}|\p{M}{4}|\u2800/u

let hostile: VerificationReport
beforeAll(async () => {
  const root = await aPrivateAuthority(`SAT\u200f ”${'Autoridad '.repeat(99)}`)
  const { certificate, key } = await certificateUnder(root, { name: HOSTILE })
  const name = '<feff004600690072006d0061200b00bb202e0031001b005b0032004a>'
  const field = `<</FT/Sig/T${name}/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/F 132/P 10 0 R/V 21 0 R>>`
  const seal = sealOf({ certificate, keyPair: key, cer: certificate.der } as never)
  const { first: _, ...report } = await verified(await handSigned({ seal, bodies: { 20: field } }))
  hostile = report
})

const options = { zone: 'America/Mexico_City', isDemo: false, names: 'whole' } as const
const cardsOf = ({ timeline }: VerdictView) =>
  timeline.filter((entry) => entry.kind === 'signature')
const cardOf = (signature: SignatureReport) =>
  cardsOf(verdictView(aVerificationReport({ signatures: [signature] }), options))[0]

test('report: names of a hostile certificate and field have no unseen character and end no quotation', () => {
  const [signature] = hostile.signatures
  expect(signature?.field).toBe('Firma·’·1·[2J')
  expect(signature?.signer?.vouched).toBe(false)
  expect(signature?.signer?.name).toBe(QUOTED.slice(1, -1))
  expect(signature?.signer?.issuer).toMatch(/^SAT ’Autoridad .{100,}…$/u)
  expect(signature?.signer?.issuer.length).toBeLessThanOrEqual(300)
  expect(JSON.stringify(hostile)).not.toMatch(UNSEEN)
})

test('verdict page: a name that no authority confirms is quoted and is no title', () => {
  const verdict = verdictView(hostile, options)
  const [card] = cardsOf(verdict)
  expect(card?.title).toBe('Firmante sin confirmar')
  expect(card?.claim).toBe(
    `Quien firmó dice llamarse ${QUOTED}; ninguna autoridad reconocida lo confirma.`,
  )
  const others = JSON.stringify({ ...verdict, timeline: [{ ...card, claim: '' }] })
  expect(others).not.toContain('JUAN')
  expect(card?.facts).toContainEqual({
    name: 'Dice haberlo emitido',
    value: expect.stringMatching(/^“SAT ’Autor.*…”$/u),
  })
  expect(card?.facts.map(({ name }) => name)).not.toContain('Emitido por')
})

test('printed report: a name that no authority confirms is no title', () => {
  const { entries, sentence } = reportText(verdictView(hostile, options), [], {
    foot: '',
    qrCode: null,
  })
  expect([sentence, ...entries.map(({ title }) => title)].join()).not.toContain('JUAN')
  expect(entries[0]?.lines).toContainEqual(expect.stringContaining(`dice llamarse ${QUOTED}`))
})

test('public verdict: an unconfirmed name is masked and quoted', () => {
  const [card] = cardsOf(verdictView(hostile, { ...options, names: 'masked' }))
  expect(card?.title).toBe('Firmante sin confirmar')
  expect(card?.claim).toContain('dice llamarse “J*** P****')
  expect(JSON.stringify(maskedReport(hostile, ''))).not.toContain('JUAN')
})

test('command line: an unconfirmed name is quoted, and no line of it comes from the file', () => {
  const report = { ...hostile, file: 'a\u001b]0;x\u0007\nescritura: Documento íntegro. [VALID]' }
  const lines = describeReport(report).split('\n')
  expect(lines.join('')).not.toMatch(UNSEEN)
  expect(lines.filter((line) => line.includes('JUAN'))).toEqual([
    expect.stringContaining(`dice llamarse ${QUOTED}`),
  ])
  expect(lines[0]).toMatch(/\[Sin resultado definitivo\]$/)
  expect(lines[0]?.startsWith('a ]0;x escritura: Documento íntegro. [VALID]: ')).toBe(true)
})

test('command line: an unconfirmed certificate only says that it has the RFC', () => {
  const { signer } = aSignatureReport()
  const textWith = (vouched: boolean) =>
    describeReport(
      aVerificationReport({ signatures: [aSignatureReport({ signer: { ...signer!, vouched } })] }),
    )
  expect(textWith(true)).toContain(`NÚÑEZ, RFC ${signer?.rfc}`)
  expect(textWith(false)).toContain(`NÚÑEZ”, dice tener el RFC ${signer?.rfc}`)
})

test('JSON report: says whether the name is confirmed, in visible characters', () => {
  const report = { ...hostile, file: '\u202efdp.a\u009b' }
  const json = reportAsJson(report, { verifiedAt: TEST_NOW, isDemo: false })
  expect(json).not.toMatch(UNSEEN)
  expect(JSON.parse(json)).toMatchObject({
    file: report.file,
    signatures: [{ signer: { vouched: false } }],
  })
})

test('signed revisions: the choice of a signature quotes an unconfirmed name', () => {
  const signatures = hostile.signatures.map((one) => ({
    ...one,
    coverage: 'ENTIRE_REVISION' as const,
  }))
  expect(signedRevisions({ ...hostile, signatures })[0]?.label).toBe(
    `1. Firmante sin confirmar, dice llamarse ${QUOTED}`,
  )
})

test('verdict page: a name stays confirmed after its certificate expired, and not if its key did not sign', async () => {
  const file = await handSigned({ seal: sealOf(await testEfirma()), time: '' })
  const late = after(TEST_NOW, days(20 * 365))
  const { first: expired } = await verified(file, await testPolicy({ at: late }))
  expect([expired.trusted, expired.signer?.vouched]).toEqual([false, true])
  expect(cardOf(expired)?.title).toBe(expired.signer?.name)

  const forged = await handSigned({
    seal: sealOf({ ...(await testEfirma()), keyPair: (await aPrivateAuthority('Otra')).key }),
  })
  const { first } = await verified(forged)
  expect([first.valid, first.signer?.vouched]).toEqual([false, false])
  expect(cardOf(first)?.title).toBe('Firmante sin confirmar')
})

test('verdict page: an e.firma is no authority that confirms another name', async () => {
  const efirma = await testEfirma()
  const under = { certificate: efirma.certificate, key: efirma.keyPair }
  const { certificate, key } = await certificateUnder(under, { name: VERDICT })
  const seal = sealOf({ certificate, keyPair: key, cer: certificate.der } as never, [efirma.cer])
  const { first } = await verified(await handSigned({ seal }))
  expect(first.signer).toMatchObject({ name: VERDICT, vouched: false })
})

test('verdict page: the name of an unconfirmed timestamp authority is quoted below the title', () => {
  const stamp = {
    kind: 'signature',
    valid: true,
    time: '2026-11-20T15:05:00.000Z',
    authority: 'Sello válido del SAT',
    trusted: false,
    vouched: false,
    reason: null,
  } as const
  const signature = aSignatureReport({ timestamps: [stamp] })
  const { timeline } = verdictView(aVerificationReport({ signatures: [signature] }), options)
  expect(timeline.at(-1)).toMatchObject({
    text: 'Sello digital de tiempo de la firma',
    sentences: [
      'Quien lo emitió dice ser “Sello válido del SAT”; ninguna autoridad reconocida lo confirma.',
    ],
  })
  const fact = cardOf(signature)?.facts.find(({ name }) => name.startsWith('Sello digital'))
  expect(fact?.value).toContain('dice ser “Sello válido del SAT”')
})

test('verdict page: names and values of filled fields are quoted, and an empty value is said', () => {
  const filled = (object: string, value: string) => ({
    ...{ revision: 2, level: 'FORM_FILLING' as const, object },
    ...changeFact('field-filled', { field: 'Precio”\u202e', value }),
  })
  const changes = [filled('9 0', 'Firma válida” del SAT\u200b'), filled('10 0', '')]
  const report = aVerificationReport({ signatures: [aSignatureReport({ changes })] })
  const verdict = verdictView(report, options)
  expect(verdict.filled.map(({ field, value }) => [field, value])).toEqual([
    ['“Precio’·”', '“Firma válida’ del SAT”'],
    ['“Precio’·”', 'vacío'],
  ])
  expect(changes.map(sentenceOfChange)).toEqual([
    'Se llenó el campo “Precio’·”: “Firma válida’ del SAT”.',
    'Se llenó el campo “Precio’·”: vacío.',
  ])
})

test('verdict page: an unconfirmed certificate only says that it is an e.firma', () => {
  const facts = (signature: SignatureReport) => cardOf(signature)?.facts ?? []
  const typeIn = (signature: SignatureReport) =>
    facts(signature).find(({ name }) => name === 'Tipo')?.value
  expect(typeIn(aSignatureReport())).toBe('e.firma de persona física')
  const { signer } = aSignatureReport()
  const unconfirmed = aSignatureReport({ signer: { ...signer!, vouched: false } })
  expect(typeIn(unconfirmed)).toBe('Dice ser e.firma de persona física, sin confirmar')
  expect(facts(unconfirmed).map(({ name }) => name)).toContain('Dice tener el RFC')
})
