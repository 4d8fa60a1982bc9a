import { createPublicKey, type KeyObject } from 'node:crypto'
import {
  basicConstraints,
  extendedKeyUsage,
  mintCertificate,
  nameOf,
} from '#server/demo/certificate-minting.ts'
import { type KeyPair, newKeyPair } from '#server/demo/certification-authority.ts'
import {
  type MintedSingle,
  mintOcspResponse,
  type OcspMinting,
} from '#server/demo/revocation-minting.ts'
import { utf8String } from '#server/domain/asn1/der-writer.ts'
import { fromHex } from '#server/domain/bytes.ts'
import { judgeRevocation } from '#server/domain/revocation/judge-revocation.ts'
import { ocspRequest, readOcspRequest } from '#server/domain/revocation/ocsp-request.ts'
import type { RevocationQuestion } from '#server/domain/revocation/question.ts'
import type { RevocationAnswer } from '#server/domain/revocation/revocation-values.ts'
import { after, type Instant, minutes, parseInstant } from '#server/domain/time.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { type ListMinting, mintCertificateList } from './certificate-lists.ts'
import { TEST_NOW, testAuthority, testEfirma } from './test-authority.ts'

const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9'

export type RevocationCast = {
  leaf: Certificate
  leafKey: KeyObject
  issuing: Certificate
  issuingKey: KeyObject
  root: Certificate
  rootKey: KeyObject
  responder: Certificate
  responderKeys: KeyPair
}

let cast: Promise<RevocationCast> | undefined

/** An e.firma, the authorities above it, and a responder that they delegated. One for the whole process. */
export function revocationCast(): Promise<RevocationCast> {
  cast ??= makeCast()
  return cast
}

async function makeCast(): Promise<RevocationCast> {
  const { root, rootKey, issuing, issuingKey } = await testAuthority()
  const efirma = await testEfirma()
  const responderKeys = await newKeyPair()
  const { certificate: leaf, keyPair } = efirma
  const others = { leaf, leafKey: keyPair.privateKey, issuing, root, responderKeys }
  return {
    ...others,
    issuingKey: issuingKey.privateKey,
    rootKey: rootKey.privateKey,
    responder: mintResponder({
      issuer: issuing,
      issuerKey: issuingKey.privateKey,
      publicKey: responderKeys.publicKey,
    }),
  }
}

export function mintResponder(options: {
  issuer: Certificate
  issuerKey: KeyObject
  publicKey: KeyObject
  purposes?: readonly string[]
  notBefore?: Instant
  notAfter?: Instant
  extensions?: readonly Uint8Array[]
  serial?: string
}): Certificate {
  const { issuer, issuerKey, publicKey, purposes = [OCSP_SIGNING] } = options
  return readCertificate(
    mintCertificate({
      serial: options.serial ?? '00000000000000077001',
      issuer: issuer.subject.bytes,
      subject: nameOf([{ oid: '2.5.4.3', value: utf8String('Servicio OCSP de prueba') }]),
      publicKey,
      notBefore: options.notBefore ?? parseInstant('2024-02-01'),
      notAfter: options.notAfter ?? parseInstant('2032-01-01'),
      extensions: [
        basicConstraints({ isAuthority: false }),
        ...(purposes.length > 0 ? [extendedKeyUsage(purposes)] : []),
        ...(options.extensions ?? []),
      ],
      issuerKey,
    }),
  )
}

/** Any certificate under `issuer`, with the key of another one or with its own. */
export function mintAuthority(options: {
  subject: Uint8Array
  issuer: Certificate
  issuerKey: KeyObject
  publicKey?: KeyObject
  publicKeyOf?: Certificate
  extensions: readonly Uint8Array[]
}): Certificate {
  const { subject, issuer, issuerKey, publicKeyOf, extensions } = options
  const publicKey = publicKeyOf
    ? createPublicKey({ key: Buffer.from(publicKeyOf.publicKey.spki), format: 'der', type: 'spki' })
    : options.publicKey
  if (!publicKey) throw new RangeError('a certificate has a key')
  return readCertificate(
    mintCertificate({
      serial: '00000000000000088001',
      issuer: issuer.subject.bytes,
      subject,
      publicKey,
      notBefore: parseInstant('2024-02-01'),
      notAfter: parseInstant('2032-01-01'),
      extensions,
      issuerKey,
    }),
  )
}

/** The CertID of a certificate, as the question about it names it. */
export function idOf(certificate: Certificate, issuer: Certificate): Uint8Array {
  return readOcspRequest(ocspRequest(certificate, issuer)).asked[0]?.bytes as Uint8Array
}

/** An answer of the delegated responder about the e.firma: good, now, for a minute as the SAT does. */
export function ocspAnswer(
  { leaf, issuing, responder, responderKeys }: RevocationCast,
  single: Partial<MintedSingle> = {},
  minting: Partial<OcspMinting> = {},
): RevocationAnswer {
  const thisUpdate = single.thisUpdate ?? TEST_NOW
  const der = mintOcspResponse({
    singles: [
      {
        id: idOf(leaf, issuing),
        status: 'good',
        nextUpdate: after(thisUpdate, minutes(1)),
        ...single,
        thisUpdate,
      },
    ],
    producedAt: thisUpdate,
    responder,
    responderKey: responderKeys.privateKey,
    certificates: [responder],
    ...minting,
  })
  return { der, source: 'fetched' }
}

/** A list of the issuing authority, of today and for a week; empty unless the test says otherwise. */
export function listAnswer(
  { issuing, issuingKey }: RevocationCast,
  minting: Partial<ListMinting> = {},
): RevocationAnswer {
  const thisUpdate = minting.thisUpdate ?? TEST_NOW
  const der = mintCertificateList({
    issuer: issuing,
    issuerKey: issuingKey,
    nextUpdate: after(thisUpdate, minutes(7 * 24 * 60)),
    ...minting,
    thisUpdate,
  })
  return { der, source: 'fetched' }
}

export const serialOf = ({ serial }: Certificate) => fromHex(serial)

/** Judged now, with these answers and nothing else, unless the test says otherwise. */
export function judged(
  { leaf, issuing }: RevocationCast,
  answers: { ocsp?: readonly RevocationAnswer[]; crls?: readonly RevocationAnswer[] },
  question: Partial<RevocationQuestion> = {},
) {
  return judgeRevocation({
    certificate: leaf,
    issuer: issuing,
    evidence: { ocsp: answers.ocsp ?? [], crls: answers.crls ?? [] },
    candidates: [],
    at: TEST_NOW,
    now: TEST_NOW,
    ...question,
  })
}
