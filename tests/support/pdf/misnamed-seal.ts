import { createHash, sign } from 'node:crypto'
import type { Efirma } from '#server/demo/certification-authority.ts'
import {
  integer,
  octetString,
  oid,
  sequence,
  setOfElements,
} from '#server/domain/asn1/der-writer.ts'
import {
  ID_CONTENT_TYPE,
  ID_DATA,
  ID_MESSAGE_DIGEST,
  ID_SIGNING_CERTIFICATE_V2,
} from '#server/domain/asn1/object-identifiers.ts'
import { buildSignedData } from '#server/domain/cms/build-signed-data.ts'
import { testAuthority } from '#tests/support/authorities/test-authority.ts'
import { attribute } from '#tests/support/authorities/time-stamps.ts'
import type { Seal } from './signed-pdfs.ts'

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** A PAdES signature that names its certificate by the right hash, and another issuer. */
export const misnamedSeal =
  ({ certificate, keyPair, cer }: Efirma): Seal =>
  async (signed) => {
    const misnamed = sequence(octetString(hash(cer)), sequence(integer(7)))
    const signedAttributes = setOfElements(
      attribute(ID_CONTENT_TYPE, oid(ID_DATA)),
      attribute(ID_MESSAGE_DIGEST, octetString(hash(signed))),
      attribute(ID_SIGNING_CERTIFICATE_V2, sequence(sequence(misnamed))),
    )
    return buildSignedData({
      signedAttributes,
      signature: sign('sha256', signedAttributes, keyPair.privateKey),
      signer: certificate,
      certificates: [(await testAuthority()).issuing.der],
      digestAlgorithm: 'sha256',
    })
  }
