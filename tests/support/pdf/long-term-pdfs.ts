import { createHash, sign } from 'node:crypto'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { mintOcspResponse, type Revocation } from '#server/demo/revocation-minting.ts'
import { concatBytes, memorySource } from '#server/domain/bytes.ts'
import { buildSignedData } from '#server/domain/cms/build-signed-data.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { incrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import { array, dictionary, withEntries } from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { addSignatureField } from '#server/domain/pdf/signature-field.ts'
import { fillByteRange } from '#server/domain/pdf/signature-placeholder.ts'
import { buildSignedAttributes } from '#server/domain/pkcs/signed-attributes.ts'
import { hours, type Instant, after as later } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { idOf } from '#tests/support/authorities/revocation-answers.ts'
import { testAuthority } from '#tests/support/authorities/test-authority.ts'
import { attribute } from '#tests/support/authorities/time-stamps.ts'
import type { Seal } from './signed-pdfs.ts'

/* Long-term validation data of a signed file: timestamps and revocation answers. */

export const SIGNATURE_TIME_STAMP = '1.2.840.113549.1.9.16.2.14'

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** A PAdES signature with these timestamps over it. */
export function sealWithStamps(
  { certificate, keyPair, cer }: Efirma,
  stampsOver: (signature: Uint8Array) => readonly Uint8Array[],
  attributes: readonly Uint8Array[] = [],
): Seal {
  return (signed) => {
    const signedAttributes = buildSignedAttributes({
      digest: hash(signed),
      certificateDigest: hash(cer),
    })
    const signature = sign('sha256', signedAttributes, keyPair.privateKey)
    const stamps = stampsOver(signature)
    return buildSignedData({
      signedAttributes,
      signature,
      signer: certificate,
      certificates: [],
      digestAlgorithm: 'sha256',
      unsignedAttributes: [
        ...(stamps.length > 0 ? [attribute(SIGNATURE_TIME_STAMP, ...stamps)] : []),
        ...attributes,
      ],
    })
  }
}

/** A `good` OCSP answer of the test authority about one of its certificates, made at `at`. */
export async function answerAbout(
  certificate: Certificate,
  at: Instant,
  status: 'good' | Revocation = 'good',
): Promise<Uint8Array> {
  const { issuing, issuingKey } = await testAuthority()
  return mintOcspResponse({
    singles: [
      { id: idOf(certificate, issuing), status, thisUpdate: at, nextUpdate: later(at, hours(1)) },
    ],
    producedAt: at,
    responder: issuing,
    responderKey: issuingKey.privateKey,
  })
}

export type Stored = {
  certificates?: readonly Certificate[]
  ocsp?: readonly Uint8Array[]
  crls?: readonly Uint8Array[]
  /** Stored for one signature, not in the shared lists. */
  isForOne?: boolean
}

/** A revision with a document security store. @see ISO 32000-2:2020, 12.8.4.3 */
export function withValidationData(file: Uint8Array, stored: Stored): Uint8Array {
  const update = incrementalUpdate(readDocument(memorySource(file)))
  const streams = (all: readonly Uint8Array[]) =>
    array(all.map((data) => update.add({ kind: 'new-stream', dictionary: dictionary({}), data })))
  const ending = stored.isForOne ? '' : 's'
  const lists = dictionary({
    [`Cert${ending}`]: streams((stored.certificates ?? []).map(({ der }) => der)),
    [`OCSP${ending}`]: streams(stored.ocsp ?? []),
    [`CRL${ending}`]: streams(stored.crls ?? []),
  })
  const store = update.add(
    stored.isForOne ? dictionary({ VRI: dictionary({ ['0'.repeat(40)]: lists }) }) : lists,
  )
  update.setCatalog(withEntries(update.catalog(), { DSS: store }))
  return concatBytes(file, update.finish().bytes)
}

/** A revision with a document timestamp. @see ISO 32000-2:2020, 12.8.5 */
export function withDocumentStamp(
  file: Uint8Array,
  stampOver: (signed: Uint8Array) => Uint8Array,
): Uint8Array {
  const document = readDocument(memorySource(file))
  const update = incrementalUpdate(document)
  const { signature } = addSignatureField(update, {
    page: pagesOf(document)[0]!.ref!,
    contentsSize: 6000,
    subFilter: 'ETSI.RFC3161',
  })
  const { bytes, contents, byteRange } = fillByteRange(update.finish(), signature)
  const whole = concatBytes(file, bytes)
  const [, length, tail] = byteRange
  const token = stampOver(concatBytes(whole.subarray(0, length), whole.subarray(tail)))
  const digits = Buffer.from(token)
    .toString('hex')
    .padEnd(contents.end - contents.start - 2, '0')
  whole.set(Buffer.from(digits, 'latin1'), contents.start + 1)
  return whole
}
