import { DerError } from '#server/domain/asn1/der.ts'
import { allFromPem } from '#server/domain/asn1/pem.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { isZip, readZip, type ZipEntry } from '#server/domain/trust/zip-archive.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { readSignedData } from './signed-data.ts'

/** What a file of authorities holds. */
export type CertificateBundle = {
  /** Each one once, in the order of the file. */
  certificates: readonly Certificate[]
  /** Names of files, or parts of them, in which nothing could be read. */
  unreadable: readonly string[]
  /** True if the file holds more certificates than are read. */
  isCut: boolean
}

export const MOST_CERTIFICATES = 200
const CERTIFICATE_FILE = /\.(?:cer|crt|der|pem|p7b|p7c)$/i

/**
 * The certificates that authorities publish: one alone as DER or PEM, several as PEM or PKCS #7, or any of
 * these in an archive. Files of an archive that do not have the name of a certificate are passed over.
 *
 * @param name how the file is called, for `unreadable`
 * @see RFC 7468, 5 and 8; RFC 2315, 9.1
 */
export async function readCertificateBundle(
  file: Uint8Array,
  name: string,
): Promise<CertificateBundle> {
  const files = isZip(file) ? await filesOf(file, name) : [{ name, bytes: file }]
  const unreadable: string[] = []
  const found = new Map<string, Certificate>()
  let isCut = false
  for (const { name, bytes } of files) {
    const certificates = certificatesIn(bytes)
    if (certificates.length === 0) unreadable.push(name)
    for (const certificate of certificates) found.set(sha256(certificate.der), certificate)
    isCut ||= certificates.length >= MOST_READ || found.size > MOST_CERTIFICATES
    if (found.size > MOST_CERTIFICATES) break
  }
  return { certificates: [...found.values()].slice(0, MOST_CERTIFICATES), unreadable, isCut }
}

async function filesOf(file: Uint8Array, name: string): Promise<ZipEntry[]> {
  try {
    const entries = await readZip(file)
    return entries.filter((entry) => CERTIFICATE_FILE.test(entry.name))
  } catch (error) {
    if (error instanceof RangeError) return [{ name, bytes: new Uint8Array() }]
    throw error
  }
}

/** One more than are taken shows that there are more; the same one may come several times. */
const MOST_READ = 2 * MOST_CERTIFICATES

function certificatesIn(file: Uint8Array): Certificate[] {
  const inPem = allFromPem(file, 'CERTIFICATE', MOST_READ).flatMap((der) =>
    orNone(() => [readCertificate(der)]),
  )
  const packs = PACKS.flatMap((label) => allFromPem(file, label, MOST_READ - inPem.length))
  const inPacks = packs.flatMap((der) => orNone(() => readSignedData(der).certificates))
  if (inPem.length + inPacks.length > 0) return [...inPem, ...inPacks]
  const alone = orNone(() => [readCertificate(file)])
  return alone.length > 0 ? alone : orNone(() => [...readSignedData(file).certificates])
}

const PACKS = ['PKCS7', 'CMS']

function orNone<T>(read: () => readonly T[]): T[] {
  try {
    return [...read()]
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}
