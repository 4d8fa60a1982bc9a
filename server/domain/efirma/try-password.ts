import { openPkcs12, type Pkcs12Refusal } from '#server/domain/pkcs/pkcs12.ts'
import { matchesCertificate, openPrivateKey } from '#server/domain/pkcs/private-key.ts'
import type { PrivateKeyFileRefusal } from '#server/domain/pkcs/private-key-file.ts'
import type { Instant } from '#server/domain/time.ts'
import { certificateFromFile } from '#server/domain/x509/certificate.ts'
import { type DescribedCertificate, describeCertificate, describeFile } from './describe-file.ts'

/** What a password does with a key; `place` is that of its file among those that were given. */
export type PasswordFinding = { place: number } & Outcome

type Outcome =
  /** No certificate was chosen to compare it with. */
  | { kind: 'opens-key' }
  | { kind: 'matches' | 'other-key'; certificate: DescribedCertificate }
  | { kind: 'opens-pkcs12'; certificates: readonly DescribedCertificate[] }
  | { kind: 'key-refused'; code: PrivateKeyFileRefusal | 'wrong-password' }
  | { kind: 'pkcs12-refused'; code: Pkcs12Refusal }

/**
 * Tries a password on each private key and PKCS#12 file, and compares the keys that open with the certificates. Overwrites the
 * files. Never throws.
 */
export async function tryPassword(
  files: readonly Uint8Array[],
  password: string,
  now: Instant,
): Promise<PasswordFinding[]> {
  const described = files.map((file, place) => ({
    ...{ file, place },
    kind: describeFile(file, now).kind,
  }))
  const certificates = described
    .filter(({ kind }) => kind === 'certificate')
    .map(({ file }) => certificateFromFile(file))
  const findings: PasswordFinding[] = []
  try {
    for (const { file, place, kind } of described) {
      const outcomes =
        kind === 'private-key'
          ? await tryKey(file)
          : kind === 'pkcs12'
            ? [await tryPkcs12(file)]
            : []
      findings.push(...outcomes.map((outcome) => ({ place, ...outcome })))
    }
    return findings
  } finally {
    for (const file of files) file.fill(0)
  }

  async function tryKey(file: Uint8Array): Promise<Outcome[]> {
    const outcome = await openPrivateKey(file, password)
    if (outcome.kind !== 'opened') return [{ kind: 'key-refused', code: outcome.kind }]
    if (certificates.length === 0) return [{ kind: 'opens-key' }]
    return certificates.map((certificate) => ({
      kind: matchesCertificate(outcome.opened, certificate) ? 'matches' : 'other-key',
      certificate: describeCertificate(certificate, now),
    }))
  }

  async function tryPkcs12(file: Uint8Array): Promise<Outcome> {
    const outcome = await openPkcs12(file, password)
    if (outcome.kind !== 'opened') return { kind: 'pkcs12-refused', code: outcome.kind }
    const found = outcome.pairs.map(({ certificate }) => describeCertificate(certificate, now))
    return { kind: 'opens-pkcs12', certificates: found }
  }
}
