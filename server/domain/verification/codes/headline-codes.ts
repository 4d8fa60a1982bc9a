import { type CodedFactOf, codedFactsOf, type NoParameters } from './coded-fact.ts'

/** The verdict about a file in one sentence. */
export type HeadlineCodes = {
  /** Every signature is valid and nothing was changed that a signature forbids. */
  'signed-and-intact': NoParameters
  /** Every signature is valid, and fields were filled later as the document lets people do. */
  'signed-then-filled': NoParameters
  /** There is no signature. */
  'no-signatures': NoParameters
  /** No reader of PDF would open the file. */
  'not-a-pdf': NoParameters
  /** The signed bytes differ from those that were signed. */
  'signed-bytes-differ': NoParameters
  /** The signature covers bytes after the end of the file. */
  'file-truncated': NoParameters
  /** After the signature stands the beginning of a revision: the file was cut off or changed. */
  'incomplete-or-modified': NoParameters
  /** The certificate was revoked before the proven time. */
  'revoked-before-signing': NoParameters
  /** Later revisions changed the document. */
  'modified-after-signing': NoParameters
  /** The signature does not verify. */
  'signature-false-or-damaged': NoParameters
  /** A signature is not valid for another reason. */
  'signature-invalid': NoParameters
  /** The authority that issued the certificate is unknown. */
  'signed-authority-unknown': NoParameters
  /** The certificate is not valid, and no time is proven. */
  'signed-certificate-out-of-bounds': NoParameters
  /** The certificate was revoked, and no time is proven. */
  'signed-certificate-revoked': NoParameters
  /** An authority on the path was revoked. */
  'signed-authority-revoked': NoParameters
  /** Revocation could not be checked. */
  'signed-revocation-unknown': NoParameters
  /** A weak algorithm was used. */
  'signed-algorithm-weak': NoParameters
  /** Readers may show different documents. */
  'readers-may-differ': NoParameters
  /** No verdict, for another reason. */
  'no-verdict': NoParameters
  /** The file is damaged: it is unknown whether it was signed. */
  'damaged-maybe-signed': NoParameters
  /** The file is encrypted: no signature can be read. */
  'encrypted-maybe-signed': NoParameters
  /** The worker could not finish the file within its limits. */
  'too-complex-to-verify': NoParameters
}

export type Headline = CodedFactOf<HeadlineCodes>

export const headline = codedFactsOf<HeadlineCodes>()
