import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { TEST_PASSWORD } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'

/** The PKCS#12 file that OpenSSL makes of certificates and keys. @param options as its command line takes them */
export function pkcs12Of(
  efirmas: readonly Pick<Efirma, 'certificate' | 'keyPair'>[],
  options: readonly string[] = [],
  password = TEST_PASSWORD,
): Uint8Array {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-p12-'))
  const place = (name: string) => path.join(folder, name)
  const pem = (der: Uint8Array) =>
    `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`
  try {
    const [first, ...others] = efirmas
    if (!first) throw new Error('a file of nothing')
    writeFileSync(
      place('key.pem'),
      first.keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    )
    writeFileSync(place('own.pem'), pem(first.certificate.der))
    writeFileSync(
      place('others.pem'),
      others.map(({ certificate }) => pem(certificate.der)).join(''),
    )
    const more = others.length > 0 ? ['-certfile', place('others.pem')] : []
    const { status, errors } = judge('openssl')(
      ...['pkcs12', '-export', '-inkey', place('key.pem'), '-in', place('own.pem'), ...more],
      ...['-passout', `pass:${password}`, '-out', place('out.p12'), ...options],
    )
    if (status !== 0) throw new Error(errors)
    return readFileSync(place('out.p12'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
