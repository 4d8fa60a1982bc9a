import { type BundledAuthority, bundledAuthority } from '#server/domain/trust/authority-facts.ts'
import { readCertificateBundle } from './certificate-bundle.ts'

/** What a file of authorities holds. */
export type AuthorityBundle = {
  certificates: readonly BundledAuthority[]
  /** Names of files, or parts of them, in which nothing could be read. */
  unreadable: readonly string[]
  /** True if the file has more certificates than are read. */
  isCut: boolean
}

/** What the certificates in a file of authorities are. @param name of the file, for `unreadable` */
export async function readAuthorityBundle(
  file: Uint8Array,
  name: string,
): Promise<AuthorityBundle> {
  const { certificates, ...rest } = await readCertificateBundle(file, name)
  return { certificates: certificates.map(bundledAuthority), ...rest }
}
