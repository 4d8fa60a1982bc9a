import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { toTimestamp } from '#server/domain/time.ts'
import { isAuthorityForTesting } from '#server/domain/trust/authorities-for-testing.ts'
import { isSelfSigned } from '#server/domain/trust/issued-by.ts'
import {
  givesConstancias,
  knownResponders,
  MEXICAN_AUTHORITIES,
  pinOf,
} from '#server/domain/trust/mexican-authorities.ts'
import { respondersFor } from '#server/domain/trust/trust-anchor.ts'
import { certificateFromFile } from '#server/domain/x509/certificate.ts'

const DATA = '../shared/data/sat-test'
const PRODUCTION = ['ca-produccion', 'nom151/acr2-secretaria-economia.pem']

describe('the certificates that the authorities publish', () => {
  const files = () =>
    PRODUCTION.flatMap((place) =>
      place.endsWith('.pem')
        ? [path.join(DATA, place)]
        : readdirSync(path.join(DATA, place)).map((name) => path.join(DATA, place, name)),
    )
  const read = (file: string) => certificateFromFile(new Uint8Array(readFileSync(file)))

  test('are pinned, all of them, with their own validity and role', () => {
    const seen = new Set<string>()
    for (const file of files()) {
      const certificate = read(file)
      const pin = pinOf(certificate)
      expect([file, pin?.sha256]).toEqual([file, sha256(certificate.der)])
      expect([file, pin?.notBefore, pin?.notAfter]).toEqual([
        file,
        toTimestamp(certificate.notBefore).slice(0, 10),
        toTimestamp(certificate.notAfter).slice(0, 10),
      ])
      expect([file, pin?.role === 'anchor']).toEqual([file, isSelfSigned(certificate)])
      seen.add(pin?.sha256 ?? '')
    }
    expect(seen.size).toBe(MEXICAN_AUTHORITIES.length)
  })

  test('responders answer for the authorities of their institution alone', () => {
    const certificates = files().map(read)
    const responders = knownResponders(certificates)
    expect(responders.map(({ certificate }) => pinOf(certificate)?.name).toSorted()).toEqual([
      'OCSP de AC4 del SAT',
      'OCSP de AC5 del SAT',
    ])
    for (const certificate of certificates) {
      const { institution, role } = pinOf(certificate)!
      const isOfTheSat = institution === 'SAT' && role !== 'responder'
      expect(respondersFor(certificate.der, responders)).toHaveLength(isOfTheSat ? 2 : 0)
    }
  })

  test('constancias stand under one of them', () => {
    const anchors = files().map((file) => ({ certificate: read(file) }))
    expect(anchors.filter(givesConstancias)).toHaveLength(1)
  })

  test('are not those for testing', () => {
    for (const name of readdirSync(path.join(DATA, 'ca-pruebas'))) {
      const certificate = read(path.join(DATA, 'ca-pruebas', name))
      expect([name, isAuthorityForTesting(certificate)]).toEqual([
        name,
        pinOf(certificate) === undefined,
      ])
    }
  })
})
