import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isDelegatedResponder } from '#server/domain/revocation/answer-signer.ts'
import { ocspRequest, readOcspRequest } from '#server/domain/revocation/ocsp-request.ts'
import { parseInstant } from '#server/domain/time.ts'
import { CURRENT_ALGORITHMS } from '#server/domain/trust/algorithm-policy.ts'
import { certificateFromFile } from '#server/domain/x509/certificate.ts'

const folder = path.resolve('../shared/data/sat-test/ca-produccion')
const read = (file: string) => certificateFromFile(readFileSync(path.join(folder, file)))

test.each([
  ['ocsp.ac4_sat.cer', 'AC4_SAT.cer', '2020-01-01'],
  ['ocsp.ac5_sat.cer', 'AC5_SAT.cer', '2026-01-01'],
])('%s may answer for %s only', (responderFile, issuerFile, day) => {
  const [responder, issuer] = [read(responderFile), read(issuerFile)]
  const at = parseInstant(day)
  const question = {
    certificate: issuer,
    issuer,
    at,
    provenAt: at,
    algorithms: CURRENT_ALGORITHMS,
  }
  expect(isDelegatedResponder(responder, question)).toBe(true)
  const other = read(issuerFile === 'AC4_SAT.cer' ? 'AC5_SAT.cer' : 'AC4_SAT.cer')
  expect(isDelegatedResponder(responder, { ...question, issuer: other })).toBe(false)
  const over = parseInstant('2035-01-01')
  expect(isDelegatedResponder(responder, { ...question, at: over })).toBe(false)
})

test('a question about a certificate of the SAT names it by its twenty digits', () => {
  const responder = read('ocsp.ac5_sat.cer')
  const request = readOcspRequest(ocspRequest(responder, read('AC5_SAT.cer')))
  expect(request).toMatchObject({ asked: [{ serial: responder.serial }], nonce: undefined })
})
