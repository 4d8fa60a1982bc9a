import { createHash, sign } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import {
  octetString,
  oid,
  sequence,
  setOfElements,
  time as timeElement,
} from '#server/domain/asn1/der-writer.ts'
import {
  ID_CONTENT_TYPE,
  ID_DATA,
  ID_MESSAGE_DIGEST,
  ID_SIGNING_CERTIFICATE_V2,
  ID_SIGNING_TIME,
} from '#server/domain/asn1/object-identifiers.ts'
import { buildSignedData } from '#server/domain/cms/build-signed-data.ts'
import { parseInstant } from '#server/domain/time.ts'
import { remarksAboutClaims } from '#server/domain/verification/time/claimed-times.ts'
import type { SignatureTime } from '#server/domain/verification/time/judge-time.ts'
import { testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { handSigned, type Seal, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

/* The times that a signer states: /M in the dictionary, signing-time in the signature. */

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const attribute = (type: string, value: Uint8Array) => sequence(oid(type), setOfElements(value))

/** With a signing-time attribute. */
const sealAt =
  (signingTime: Uint8Array): Seal =>
  async (signed) => {
    const signedAttributes = setOfElements(
      attribute(ID_CONTENT_TYPE, oid(ID_DATA)),
      attribute(ID_MESSAGE_DIGEST, octetString(hash(signed))),
      attribute(ID_SIGNING_TIME, signingTime),
      attribute(
        ID_SIGNING_CERTIFICATE_V2,
        sequence(sequence(sequence(octetString(hash(efirma.cer))))),
      ),
    )
    const { issuing } = await testAuthority()
    return buildSignedData({
      signedAttributes,
      signature: sign('sha256', signedAttributes, efirma.keyPair.privateKey),
      signer: efirma.certificate,
      certificates: [issuing.der],
      digestAlgorithm: 'sha256',
    })
  }

const warnedOf = async (signingTime: string, dictionaryTime: string) => {
  const seal = sealAt(timeElement(Date.parse(signingTime)))
  const report = await verified(await handSigned({ seal, time: dictionaryTime }))
  expect(report.first).toMatchObject({ intact: true, valid: true })
  return codesOf(report.first.warnings).filter((code) => code.startsWith('claimed-'))
}

test.each([
  ['the same time twice', '2026-11-20T15:00:00Z', 'D:20261120150000Z', []],
  ['one time in two zones', '2026-11-20T15:00:00Z', "D:20261120090000-06'00'", []],
  ['clocks that differ by minutes', '2026-11-20T14:57:00Z', 'D:20261120150000Z', []],
  ['two times', '2026-11-19T15:00:00Z', 'D:20261120150000Z', ['claimed-times-disagree']],
  ['1999', '1999-01-01T00:00:00Z', 'D:19990101000000Z', ['claimed-time-before-certificate']],
  [
    '2049',
    '2049-01-01T00:00:00Z',
    'D:20490101000000Z',
    ['claimed-time-in-future', 'claimed-time-after-certificate'],
  ],
  ['no date', '2026-11-20T15:00:00Z', 'ayer', ['claimed-time-unreadable']],
  ['no time in the dictionary', '2026-11-20T15:00:00Z', '', []],
])('stated times: %s', async (_, signingTime, dictionaryTime, codes) => {
  expect(await warnedOf(signingTime, dictionaryTime)).toEqual(codes)
})

test.each([
  ['in the life of the certificate', '2026-11-19T15:00:00Z', null, []],
  [
    'before the certificate began',
    '2021-01-01T00:00:00Z',
    'OUT_OF_BOUNDS_NO_POE',
    ['claimed-time-before-certificate'],
  ],
  [
    'after the certificate ended',
    '2049-01-01T00:00:00Z',
    'OUT_OF_BOUNDS_NO_POE',
    ['claimed-time-in-future', 'claimed-time-after-certificate'],
  ],
])(
  'stated times: without one in the dictionary that in the signature counts, %s',
  async (_, signingTime, subIndication, codes) => {
    const seal = sealAt(timeElement(Date.parse(signingTime)))
    const { first } = await verified(await handSigned({ seal, time: '' }))
    expect(first).toMatchObject({ claimedTime: signingTime.replace('Z', '.000Z'), subIndication })
    expect(codesOf(first.warnings).filter((code) => code.startsWith('claimed-'))).toEqual(codes)
  },
)

test.each([
  ['in the life of the certificate', '2026-11-19T15:00:00Z', null, []],
  [
    'before the certificate began',
    '2021-01-01T00:00:00Z',
    'OUT_OF_BOUNDS_NO_POE',
    ['claimed-time-before-certificate'],
  ],
])(
  'stated times: where that in the dictionary cannot be read, that in the signature counts, %s',
  async (_, signingTime, subIndication, codes) => {
    const seal = sealAt(timeElement(Date.parse(signingTime)))
    const { first } = await verified(await handSigned({ seal, time: 'xx' }))
    expect(first).toMatchObject({ claimedTime: signingTime.replace('Z', '.000Z'), subIndication })
    expect(codesOf(first.warnings).filter((code) => code.startsWith('claimed-'))).toEqual([
      'claimed-time-unreadable',
      ...codes,
    ])
  },
)

test('stated times: a signing time that is none warns of nothing and leaves the verdict', async () => {
  const report = await verified(await handSigned({ seal: sealAt(octetString(hash(efirma.cer))) }))
  expect(report.verdict).toBe('VALID')
  expect(codesOf(report.first.warnings)).toEqual(['revocation-not-checked'])
})

test('stated times: the last moment of a certificate is in it, the next is not', async () => {
  const { notAfter } = efirma.certificate
  const claimed = async (time: number) => {
    const written = new Date(time).toISOString()
    const inDictionary = `D:${written.slice(0, 19).replace(/[-T:]/g, '')}Z`
    const codes = await warnedOf(written, inDictionary)
    return codes.includes('claimed-time-after-certificate')
  }
  expect([await claimed(notAfter), await claimed(notAfter + 1000)]).toEqual([false, true])
})

test('stated times: one later than the proven time contradicts it, unless clocks differ so', () => {
  const claims = {
    dictionary: { signingTime: 'D:20261120150600Z' },
    read: undefined,
    certificate: undefined,
  }
  const warned = (proven: string) => {
    const time = { proven: parseInstant(proven) } as SignatureTime
    return codesOf(remarksAboutClaims(claims, time, parseInstant('2026-11-21')))
  }
  expect(warned('2026-11-20T15:01:00Z')).toEqual([])
  expect(warned('2026-11-20T15:00:00Z')).toEqual(['claimed-time-after-proven-time'])
})
