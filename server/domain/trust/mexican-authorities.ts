import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { TrustAnchor, TrustedResponder } from './trust-anchor.ts'

/**
 * A certificate that a Mexican authority is known by. Its bytes come from the bundle that the authority
 * publishes; what is written here decides whether they are believed.
 */
export type PinnedAuthority = {
  /** SHA-256 of the DER. */
  sha256: string
  /** For people. */
  name: string
  institution: 'Banco de México' | 'SAT' | 'Secretaría de Economía'
  /** An anchor is trusted by itself, the others through one; a responder answers for an authority. */
  role: 'anchor' | 'intermediate' | 'responder'
  /** Days in UTC. */
  notBefore: string
  notAfter: string
}

/**
 * The authorities in production, those that have expired included: what they issued may have been signed and
 * timestamped in their time. The first root of the Secretaría de Economía is missing: we have not seen its
 * fingerprint.
 */
export const MEXICAN_AUTHORITIES: readonly PinnedAuthority[] = [
  registrar(
    'ARC0',
    '2001-06-20',
    '2011-06-20',
    '11f0f4ab4b06105af76b0b98f3643c4cd1c26ebd9db51524166cf5ccdb39f172',
  ),
  registrar(
    'ARC1',
    '2008-03-25',
    '2016-03-25',
    'b2b77ad7f5513fecb543abbb9290650125ecc995d0fe4a75348f030705385eb4',
  ),
  // Published as ARC3 and ARC4, too.
  registrar(
    'ARC2',
    '2010-07-20',
    '2026-07-20',
    '5035edf21401e2d23fe39ac1893ee02fa7bd09a870619ecb13e3f1b29e8a0009',
  ),
  registrar(
    'ARC5',
    '2018-12-07',
    '2034-12-03',
    'cbf3e084a86cac5ef1060b9242196eec15e8786931ffff05466ba7becd43b15e',
  ),
  // Published as ARC7, too.
  registrar(
    'ARC6',
    '2023-03-17',
    '2039-03-17',
    'a86baf49b2e91d0141722c4e7026ab246183a8072926e9983edbd4e5ba72515d',
  ),
  ofTheSat(
    'AC0',
    '2004-10-27',
    '2008-10-27',
    'dea351137799ea3841217710308eca5f37fd2f4ae3dfca7f7580fcbc1e5fe6a4',
  ),
  // It signed itself: no registrar stands above it.
  {
    ...ofTheSat(
      'AC1',
      '2008-10-16',
      '2016-10-14',
      'c56a29f41377062c4686c9af0cf00cd48176f22f356239a4616c8c3bf669c6d8',
    ),
    role: 'anchor',
  },
  ofTheSat(
    'AC2',
    '2011-12-16',
    '2019-12-16',
    '4e166a2a5d88ada1f24dfe1a85b56fcc905322f805ef6a6b67472de5f6a20869',
  ),
  ofTheSat(
    'AC3',
    '2013-04-29',
    '2021-04-29',
    'cef5304ab651e3031f8010ad68b557d0489214aa715f76fcd55d602109c44236',
  ),
  ofTheSat(
    'AC4',
    '2015-05-25',
    '2023-05-25',
    '9ce0c3a0a7b4b992388cfd903ca2241af5187e45bceb23af735fc4e3b206afce',
  ),
  ofTheSat(
    'AC5',
    '2019-05-03',
    '2027-05-03',
    '1ac6325143920fc047b6506e42540944fa6590b44560807b564c5603d15add8e',
  ),
  ofTheSat(
    'AC6',
    '2023-03-24',
    '2031-03-24',
    '054e8f213ff2228254d8f87ec43d2e7c2eda628d927c270b9a77d1d09eef9418',
  ),
  ofTheSat(
    'AC7',
    '2023-05-23',
    '2031-05-23',
    '6d1d1f871f0d69233fc94526fecf826bee67181782d6b7e5320b279c97e8dac7',
  ),
  {
    ...ofTheSat(
      'OCSP de AC4',
      '2015-07-01',
      '2023-07-01',
      '1f73017592d84212dfa45da778a411aa520e286ebeb90ff1794ba0140f22d843',
    ),
    role: 'responder',
  },
  {
    ...ofTheSat(
      'OCSP de AC5',
      '2019-05-06',
      '2027-09-13',
      'ef78332483d7850ef5019f4bd1012a88f64b40a4a7e5bbb84f949bd0eaa65940',
    ),
    role: 'responder',
  },
  {
    name: 'ACR2 de la Secretaría de Economía',
    institution: 'Secretaría de Economía',
    role: 'anchor',
    notBefore: '2017-02-08',
    notAfter: '2032-02-08',
    sha256: 'b2f258c42c3066c54c3d9bbcb9a4c16bed4e7b74f302643a11af26961e09c720',
  },
]

/**
 * Where each institution answers about the certificates issued under its anchors (OCSP over HTTP).
 *
 * The SAT's answers in `trylater` unless it is asked with the right issuer, and its server offers a
 * Diffie-Hellman group of 1024 bits, which OpenSSL accepts at security level 1 alone: see
 * `server/adapters/http-answer.ts`. The answers are signed, so that nothing rests on how they travel.
 */
export const OCSP_OF: Record<PinnedAuthority['institution'], readonly string[]> = {
  'Banco de México': ['https://cfdi.sat.gob.mx/edofiel'],
  SAT: ['https://cfdi.sat.gob.mx/edofiel'],
  'Secretaría de Economía': ['http://ocsp.economia.gob.mx:8082/'],
}

const BY_SHA256 = new Map(MEXICAN_AUTHORITIES.map((authority) => [authority.sha256, authority]))

/** What is known of the authority that owns this certificate; undefined for every other one. */
export const pinOf = ({ der }: Pick<Certificate, 'der'>): PinnedAuthority | undefined =>
  pinOfFingerprint(sha256(der))

/** The same by its fingerprint. */
export const pinOfFingerprint = (fingerprint: string): PinnedAuthority | undefined =>
  BY_SHA256.get(fingerprint)

/** Where each institution publishes lists of what its anchors issued and revoked. */
export const LISTS_OF: Partial<Record<PinnedAuthority['institution'], readonly string[]>> = {
  'Secretaría de Economía': ['https://www.acr2se.economia.gob.mx/economia.crl'],
}

/** Where a pinned authority answers and publishes lists; nowhere for others. */
export function knownPlacesOf({
  certificate,
}: Pick<TrustAnchor, 'certificate'>): Pick<TrustAnchor, 'ocsp' | 'lists'> {
  const pin = pinOf(certificate)
  if (!pin) return {}
  return { ocsp: OCSP_OF[pin.institution], lists: LISTS_OF[pin.institution] ?? [] }
}

/** Whether the anchor is a root of issuers of constancias and timestamps. */
export const givesConstancias = ({ certificate }: Pick<TrustAnchor, 'certificate'>): boolean => {
  const pin = pinOf(certificate)
  return pin?.role === 'anchor' && pin.institution === 'Secretaría de Economía'
}

/** Those of the certificates that are known to answer for an institution, each for its authorities alone. */
export const knownResponders = (certificates: readonly Certificate[]): TrustedResponder[] =>
  certificates.flatMap((certificate) => {
    const pin = pinOf(certificate)
    if (pin?.role !== 'responder') return []
    const authorities = MEXICAN_AUTHORITIES.filter(
      ({ institution, role }) => institution === pin.institution && role !== 'responder',
    )
    return [{ certificate, authorities: authorities.map((authority) => authority.sha256) }]
  })

function registrar(name: string, notBefore: string, notAfter: string, sha256: string) {
  const fullName = `${name} · Agencia Registradora Central`
  return {
    name: fullName,
    institution: 'Banco de México',
    role: 'anchor',
    notBefore,
    notAfter,
    sha256,
  } as const
}

function ofTheSat(name: string, notBefore: string, notAfter: string, sha256: string) {
  return {
    name: `${name} del SAT`,
    institution: 'SAT',
    role: 'intermediate',
    notBefore,
    notAfter,
    sha256,
  } as const
}
