import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { anchorsFromCertificates } from '#server/domain/certificates/anchors.ts'
import type { TrustAnchor } from '#server/domain/certificates/trust-anchor.ts'
import { type Certificate, readCertificate } from '#server/domain/efirma/certificate.ts'
import { allFromPem } from '#server/domain/efirma/pem.ts'
import type { TrustStore } from '#server/system.ts'

/** A folder of authorities and how much their word counts. */
export type TrustFolder = { folder: string } & Omit<TrustAnchor, 'certificate'>

/**
 * The authorities in the given folders, read once. A folder that does not exist holds none.
 *
 * @throws {Error} naming the file that is no certificate: a trust decision is never guessed
 */
export function openTrustStore(folders: readonly TrustFolder[]): TrustStore {
  const sorted = folders.map(({ folder, ...trust }) =>
    anchorsFromCertificates(readCertificates(folder), trust),
  )
  const anchors = sorted.flatMap((one) => one.anchors)
  const candidates = sorted.flatMap((one) => one.candidates)
  const hash = createHash('sha256')
  for (const { certificate, revocation, forTesting } of anchors)
    hash.update(certificate.der).update(`${revocation} ${forTesting} `)
  for (const certificate of candidates) hash.update(certificate.der)
  const fingerprint = hash.digest('hex')
  return {
    policy: (now) => ({ anchors, candidates, at: now }),
    fingerprint: () => fingerprint,
  }
}

/**
 * All certificates of a folder or of one file, DER or a bundle of PEM; sorted by name, so that the order is
 * never chance.
 *
 * @throws {Error} es-MX, naming the place that cannot be read or is no certificate
 */
export function readCertificates(place: string): Certificate[] {
  if (!existsSync(place)) return []
  return filesOf(place).flatMap((file) => {
    const bytes = orSay(`No se puede leer ${file}.`, () => new Uint8Array(readFileSync(file)))
    const bundle = allFromPem(bytes, 'CERTIFICATE')
    const encoded = bundle.length > 0 ? bundle : [bytes]
    return orSay(`${file} no es un certificado X.509.`, () => encoded.map(readCertificate))
  })
}

function filesOf(place: string): string[] {
  return orSay(`No se puede leer ${place}.`, () => {
    if (!statSync(place).isDirectory()) return [place]
    const names = readdirSync(place).filter((name) => /\.(?:cer|crt|pem|der)$/i.test(name))
    return names.sort().map((name) => path.join(place, name))
  })
}

function orSay<T>(sentence: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Error(sentence, { cause: error })
  }
}
