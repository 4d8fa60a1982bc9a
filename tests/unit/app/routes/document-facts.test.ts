import { expect, test } from 'vitest'
import { documentFacts } from '#app/routes/verification/document-facts.ts'
import { Sha256 } from '#server/domain/ids.ts'
import type { PublicVerification } from '#server/features/verification/read-verification.ts'
import { anOffice, aUser, MORNING } from '#tests/support/builders.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'
import { aVerificationReport } from '#tests/support/pdf/verification-reports.ts'

const office = anOffice()
const factsWith = (changes: Partial<PublicVerification>) =>
  documentFacts({
    document: aDocument(aUser(office)),
    version: aVersion(aDocument(aUser(office))),
    office,
    report: aVerificationReport(),
    constancia: null,
    leavesProtocol: false,
    verifiedAt: MORNING,
    ...changes,
  })

test('a long log is counted as it is where its checkpoints are listed', () => {
  const head = { size: 1_234_567, root: Sha256.parse('ab'.repeat(32)) }
  const facts = factsWith({ log: { kind: 'proven', events: [12], heads: [head], proofs: [] } })
  expect(facts).toContainEqual({
    name: 'Bitácora',
    value:
      'La firma consta en la bitácora como evento 12. Lo prueba el punto de control firmado sobre 1,234,567 eventos, con raíz abababababababab…',
  })
})

test('a constancia is told of where one was asked for', () => {
  const names = (constancia: PublicVerification['constancia']) =>
    factsWith({ constancia }).filter(({ name }) => name === 'Constancia NOM-151')
  expect(names(null)).toEqual([])
  expect(names('failed')).toEqual([{ name: 'Constancia NOM-151', value: 'No emitida' }])
})
