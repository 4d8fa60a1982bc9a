import {
  inquiriesAbout,
  type RevocationInquiry,
} from '#server/domain/trust/revocation-inquiries.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { type PolicyInTransit, unpackPolicy } from './policy-in-transit.ts'

/** An inquiry as it crosses threads: certificates as DER. */
export type InquiryInTransit = Omit<RevocationInquiry, 'certificate' | 'issuer' | 'parent'> & {
  certificate: Uint8Array
  issuer: Uint8Array
  parent?: Uint8Array
}

export const findInquiries = (
  certificates: readonly Uint8Array[],
  policy: PolicyInTransit,
): InquiryInTransit[] => inquiriesAbout(certificates, unpackPolicy(policy)).map(packInquiry)

const packInquiry = ({ certificate, issuer, parent, ...places }: RevocationInquiry) => ({
  ...places,
  certificate: ownBytes(certificate),
  issuer: ownBytes(issuer),
  ...(parent && { parent: ownBytes(parent) }),
})

/* Of a view the whole buffer behind it would cross. */
const ownBytes = ({ der }: Certificate) => der.slice()

export const unpackInquiry = ({
  certificate,
  issuer,
  parent,
  ...places
}: InquiryInTransit): RevocationInquiry => ({
  ...places,
  certificate: readCertificate(certificate),
  issuer: readCertificate(issuer),
  ...(parent && { parent: readCertificate(parent) }),
})
