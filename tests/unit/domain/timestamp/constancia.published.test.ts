import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { KNOWN_CONSTANCIA_ISSUERS } from '#server/domain/timestamp/constancia-issuer.ts'
import { readTimeStampResponse } from '#server/domain/timestamp/time-stamp-response.ts'
import { verifyTimeStamp } from '#server/domain/timestamp/verify-time-stamp.ts'

/* A genuine constancia, if the test data is available. */
const FOLDER = '../shared/data/sat-test/nom151'

describe.each(['token', 'record'])('a constancia of 2018, as %s', (form) => {
  const file = path.join(FOLDER, `constancia-advantage-2018.${form}.der`)
  const response = readTimeStampResponse(new Uint8Array(readFileSync(file)))
  if (response.kind !== 'granted') throw new Error('refused')
  const { token } = response
  const judged = (imprint: Uint8Array, issuers = KNOWN_CONSTANCIA_ISSUERS) =>
    verifyTimeStamp(token, () => imprint, { issuers })

  test('conforms to its standard', () => {
    expect(token.info).toMatchObject({
      policy: '2.16.484.101.10.316.2.1.1.2.1',
      digest: 'sha256',
      time: Date.parse('2018-07-18T20:59:03.190Z'),
      accuracy: 100,
    })
    expect(judged(token.info.imprint)).toMatchObject({
      isValid: true,
      // Its attribute holds the hash of some other certificate; openssl says so too.
      isBound: false,
      constancia: { name: 'Advantage Security', environment: 'production' },
      certificate: { name: 'Advantage Security PSC NOM151' },
    })
  })

  test('says nothing about another file, and nothing without its issuer', () => {
    expect(judged(new Uint8Array(32)).problem).toBe('imprint-differs')
    expect(judged(token.info.imprint, []).problem).toBe('certificate-not-bound')
  })
})
