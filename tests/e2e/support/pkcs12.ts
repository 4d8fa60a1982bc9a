import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { pkcs12Of } from '#tests/support/keys/pkcs12-files.ts'
import type { DemoUser } from '#tests/support/processes/demo-server.ts'

/** As Windows exports it, and as programs of today do. */
export const OF_WINDOWS = ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES'] as const

type Owner = Pick<DemoUser, 'cer' | 'key' | 'keyPassword'>

/** The e.firma of the user as a PKCS#12 file, under the password of its key. */
export function pkcs12Owned(
  { cer, key, keyPassword }: Owner,
  options: readonly string[] = [],
): Buffer {
  const file = { key: readFileSync(key), format: 'der', type: 'pkcs8' } as const
  const privateKey = createPrivateKey({ ...file, passphrase: keyPassword })
  const pair = { privateKey, publicKey: createPublicKey(privateKey) }
  const certificate = readCertificate(readFileSync(cer))
  return Buffer.from(pkcs12Of([{ certificate, keyPair: pair }], options, keyPassword))
}
