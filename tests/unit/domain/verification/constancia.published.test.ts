import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fromHex } from '#server/domain/bytes.ts'
import { parseInstant } from '#server/domain/time.ts'
import { KNOWN_CONSTANCIA_ISSUERS } from '#server/domain/timestamp/constancia-issuer.ts'
import { judgeConstancia } from '#server/domain/verification/time/judge-constancia.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { certificateFromFile } from '#server/domain/x509/certificate.ts'

/* A genuine constancia, if the test data is available. */
const FOLDER = '../shared/data/sat-test/nom151'
const bytesIn = (file: string) => new Uint8Array(readFileSync(path.join(FOLDER, file)))

const DIGEST = fromHex('6533901d156ca462d0a40380d5bc0a2264b0333b66de701268f5b2ab745f973e')

const policyWith = (revocation: 'required' | 'when-available'): VerificationPolicy => ({
  anchors: [],
  candidates: [],
  at: parseInstant('2026-11-20T15:00:00Z'),
  constancias: {
    anchors: [
      {
        certificate: certificateFromFile(bytesIn('acr2-secretaria-economia.pem')),
        label: 'Secretaría de Economía',
        forTesting: false,
        revocation,
      },
    ],
    issuers: KNOWN_CONSTANCIA_ISSUERS,
  },
})

test.each(['token', 'record'])('a constancia of 2018, as %s', (form) => {
  const bytes = bytesIn(`constancia-advantage-2018.${form}.der`)
  expect(judgeConstancia(bytes, DIGEST, policyWith('when-available'))).toMatchObject({
    kind: 'constancia',
    verdict: 'VALID',
    forTesting: false,
    time: '2018-07-18T20:59:03.190Z',
    authority: 'Advantage Security',
    policy: '2.16.484.101.10.316.2.1.1.2.1',
  })
  expect(judgeConstancia(bytes, DIGEST, policyWith('required'))).toMatchObject({
    verdict: 'INDETERMINATE',
    subIndication: 'TRY_LATER',
  })
  expect(judgeConstancia(bytes, new Uint8Array(32), policyWith('required')).verdict).toBe('INVALID')
  const noTrust = {
    ...policyWith('required'),
    constancias: { anchors: [], issuers: KNOWN_CONSTANCIA_ISSUERS },
  }
  expect(judgeConstancia(bytes, DIGEST, noTrust)).toMatchObject({
    verdict: 'INDETERMINATE',
    subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
    trusted: false,
  })
})
