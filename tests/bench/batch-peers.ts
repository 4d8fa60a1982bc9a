import { sign } from 'node:crypto'
import { CryptoKeySigner, PDF } from '@libpdf/core'
import { pdflibAddPlaceholder } from '@signpdf/placeholder-pdf-lib'
import { SignPdf } from '@signpdf/signpdf'
import { Signer, SUBFILTER_ETSI_CADES_DETACHED } from '@signpdf/utils'
import { PDFDocument } from 'pdf-lib'
import { buildSignedData } from '#server/domain/cms/build-signed-data.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { buildSignedAttributes } from '#server/domain/pkcs/signed-attributes.ts'
import type { BatchOffice } from './batch-office.ts'

/** Makes a signed file of a file, both in memory: nothing is verified, stored or recorded. */
export type Peer = (file: Uint8Array) => Promise<Uint8Array>

type Signatory = Pick<BatchOffice, 'efirma' | 'issuing'>

const REASON = 'Firma electrónica como Notario titular'
/** Bytes for the CMS: as much as ours. */
const ROOM = 16_384

/** Both with the placeholder that they bring. */
export async function openPeers(by: Signatory): Promise<Record<string, Peer>> {
  return { '@libpdf/core': await libpdf(by), '@signpdf/signpdf': signpdf(by) }
}

async function libpdf({ efirma, issuing }: Signatory): Promise<Peer> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const plain = efirma.keyPair.privateKey.export({ format: 'der', type: 'pkcs8' })
  const key = await crypto.subtle.importKey('pkcs8', new Uint8Array(plain), algorithm, false, [
    'sign',
  ])
  const { der } = efirma.certificate
  const signer = new CryptoKeySigner(key, der, 'RSA', 'RSASSA-PKCS1-v1_5', [issuing.der])
  return async (file) => {
    const document = await PDF.load(file)
    return (await document.sign({ signer, reason: REASON, estimatedSize: ROOM })).bytes
  }
}

/** The CMS is ours, by OpenSSL: the signer that they offer computes RSA in JavaScript, which is far slower. */
function signpdf({ efirma, issuing }: Signatory): Peer {
  const { certificate, keyPair } = efirma
  class OwnSigner extends Signer {
    override async sign(bytes: Buffer): Promise<Buffer> {
      const signedAttributes = buildSignedAttributes({
        digest: Buffer.from(sha256(bytes), 'hex'),
        certificateDigest: Buffer.from(sha256(certificate.der), 'hex'),
      })
      const signature = sign('sha256', signedAttributes, keyPair.privateKey)
      const input = { signedAttributes, signature, signer: certificate }
      const certificates = [issuing.der]
      return Buffer.from(buildSignedData({ ...input, certificates, digestAlgorithm: 'sha256' }))
    }
  }
  return async (file) => {
    const pdfDoc = await PDFDocument.load(file)
    pdflibAddPlaceholder({
      pdfDoc,
      reason: REASON,
      contactInfo: '',
      name: certificate.name,
      location: '',
      signatureLength: ROOM,
      subFilter: SUBFILTER_ETSI_CADES_DETACHED,
    })
    return await new SignPdf().sign(await pdfDoc.save({ useObjectStreams: false }), new OwnSigner())
  }
}
