import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { basicConstraints, extendedKeyUsage, keyUsage } from '#server/demo/certificate-minting.ts'
import { DerError } from '#server/domain/asn1/der.ts'
import { boolean, integer, octetString, oid, sequence } from '#server/domain/asn1/der-writer.ts'
import { parseInstant } from '#server/domain/time.ts'
import type { ConstanciaIssuer } from '#server/domain/timestamp/constancia-issuer.ts'
import { readTimeStampResponse } from '#server/domain/timestamp/time-stamp-response.ts'
import { readTimeStampToken } from '#server/domain/timestamp/time-stamp-token.ts'
import { verifyTimeStamp } from '#server/domain/timestamp/verify-time-stamp.ts'
import { type DigestName, startDigest } from '#server/domain/trust/digest-algorithm.ts'
import {
  responseWith,
  type Stamping,
  type StampingAuthority,
  stampingAuthority,
  stampOver,
  TEST_POLICY,
  TIME_STAMPING,
} from '#tests/support/authorities/time-stamps.ts'

const TIME = parseInstant('2026-03-01T12:00:00Z')
const DEED = Buffer.from('Escritura 12,345')
const digestOfDeed = (digest: DigestName) => startDigest(digest).update(DEED).digest()

let authority: StampingAuthority
beforeAll(async () => {
  authority = await stampingAuthority()
})

const stamped = (changes: Partial<Stamping> = {}, over: Uint8Array = DEED) =>
  stampOver(over, { by: authority, time: TIME, ...changes })
const judged = (token: Uint8Array, issuers: readonly ConstanciaIssuer[] = []) =>
  verifyTimeStamp(readTimeStampToken(token), digestOfDeed, { issuers })

describe('a timestamp', () => {
  test('is accepted', () => {
    const token = readTimeStampToken(stamped())
    expect(token.info).toMatchObject({ policy: TEST_POLICY, digest: 'sha256', time: TIME })
    expect(verifyTimeStamp(token, digestOfDeed)).toMatchObject({
      doesMatch: true,
      isValid: true,
      problem: undefined,
      certificate: { name: 'Autoridad de sellado de prueba' },
      constancia: undefined,
    })
  })

  test('has accuracy and nonce', () => {
    const accuracy = sequence(integer(1), Uint8Array.of(0x80, 1, 100), Uint8Array.of(0x81, 1, 50))
    const { info } = readTimeStampToken(stamped({ fields: [accuracy, integer(77)] }))
    expect(info).toMatchObject({ accuracy: 1100.05, nonce: Uint8Array.of(77) })
  })

  test.each<[string, () => Uint8Array, string]>([
    ['over other bytes', () => stamped({}, Buffer.from('otra')), 'imprint-differs'],
    ['without a certificate', () => stamped({ certificates: [] }), 'certificate-missing'],
    [
      'whose content was changed',
      () => stamped({ signedContent: Buffer.from('otro') }),
      'content-differs',
    ],
    ['bound to nothing', () => stamped({ certificateHash: null }), 'certificate-not-bound'],
    [
      'bound to another certificate',
      () => stamped({ certificateHash: createHash('sha256').digest() }),
      'certificate-not-bound',
    ],
    [
      'with an unknown critical extension of the token',
      () => {
        const condition = sequence(oid('1.2.3'), boolean(true), octetString(new Uint8Array()))
        const extensions = sequence(condition)
        extensions[0] = 0xa1
        return stamped({ fields: [extensions] })
      },
      'critical-extension',
    ],
  ])('%s', (_, make, problem) => {
    expect(judged(make())).toMatchObject({ isValid: false, problem })
  })

  test('whose signature is not of the authority', () => {
    const token = stamped()
    token[token.length - 5]! ^= 1
    expect(judged(token).problem).toBe('signature-differs')
  })

  test('every byte that is signed counts', () => {
    const token = stamped()
    const { signedData } = readTimeStampToken(token)
    const start = signedData.content!.byteOffset - token.byteOffset
    for (let at = start; at < start + signedData.content!.length; at++) {
      const flipped = token.slice()
      flipped[at]! ^= 0x01
      expect(isValidOrUnreadable(flipped), `byte ${at}`).toBe(false)
    }
  })
})

function isValidOrUnreadable(token: Uint8Array): boolean {
  try {
    return judged(token).isValid
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

describe('certificates for timestamping', () => {
  const withExtensions = async (...extensions: Uint8Array[]) =>
    judged(stamped({ by: await stampingAuthority({ extensions }) }))
  const usage = keyUsage(0x80, 7, true)
  const leaf = basicConstraints({ isAuthority: false })

  test.each<[string, Uint8Array[], boolean]>([
    ['for that alone', [leaf, usage, extendedKeyUsage([TIME_STAMPING], true)], true],
    ['without saying it must be', [leaf, usage, extendedKeyUsage([TIME_STAMPING])], false],
    [
      'for something else too',
      [leaf, usage, extendedKeyUsage([TIME_STAMPING, '1.3.6.1.5.5.7.3.2'], true)],
      false,
    ],
    ['for something else', [leaf, usage, extendedKeyUsage(['1.3.6.1.5.5.7.3.4'], true)], false],
    ['for no purpose', [leaf, usage], false],
    [
      'whose key may not sign',
      // keyEncipherment
      [leaf, keyUsage(0x20, 5, true), extendedKeyUsage([TIME_STAMPING], true)],
      false,
    ],
  ])('%s', async (_, extensions, isAllowed) => {
    const { isValid, problem } = await withExtensions(...extensions)
    expect([isValid, problem]).toEqual([isAllowed, isAllowed ? undefined : 'not-for-time-stamping'])
  })

  test('an issuer of constancias, under its own policy and with its own certificate', async () => {
    const by = await stampingAuthority({ extensions: [leaf, usage] })
    const own = createHash('sha256').update(by.certificate.der).digest('hex')
    const issuer = (changes: Partial<ConstanciaIssuer>): ConstanciaIssuer => ({
      name: 'PSC de prueba',
      policies: [TEST_POLICY],
      certificates: [],
      environment: 'production',
      ...changes,
    })
    const isValid = (changes: Partial<ConstanciaIssuer>) =>
      judged(stamped({ by }), [issuer(changes)]).isValid
    expect(isValid({})).toBe(true)
    expect(isValid({ certificates: [own] })).toBe(true)
    expect(isValid({ certificates: ['00'.repeat(32)] })).toBe(false)
    expect(isValid({ policies: ['1.2.3.4.2'] })).toBe(false)
  })
})

describe('the answer of an authority', () => {
  test.each([
    ['granted', 0, false],
    ['granted with modifications', 1, true],
  ])('%s', (_, status, isModified) => {
    const token = stamped()
    const response = readTimeStampResponse(responseWith(status, token))
    expect(response).toMatchObject({ kind: 'granted', isModified, tokenBytes: token })
  })

  test('the token alone', () => {
    expect(readTimeStampResponse(stamped())).toMatchObject({
      kind: 'granted',
      token: { info: { time: TIME } },
    })
  })

  test('refused', () => {
    expect(readTimeStampResponse(responseWith(2))).toEqual({ kind: 'refused', status: 2 })
  })

  test.each([
    ['granted, and nothing there', responseWith(0)],
    ['nothing', new Uint8Array()],
    ['text', Buffer.from('gracias')],
    ['a refusal in place of a token', responseWith(0, responseWith(2))],
  ])('%s', (_, bytes) => {
    expect(() => readTimeStampResponse(bytes)).toThrow(DerError)
  })
})
