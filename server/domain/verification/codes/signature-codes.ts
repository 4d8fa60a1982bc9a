import type { NoParameters } from './coded-fact.ts'

/** What stands against a signature itself, or is odd about it. */
export type SignatureCodes = {
  /** There is no /ByteRange, or it does not have four numbers (universal forgery). */
  'byte-range-missing': NoParameters
  /** The /ByteRange is negative, overlaps or begins inside the file (universal forgery). */
  'byte-range-impossible': NoParameters
  /** The /ByteRange ends after the end of the file: the file is truncated. */
  'byte-range-beyond-file': NoParameters
  /** The signature is not written as a hexadecimal string of its own dictionary. */
  'contents-misplaced': NoParameters
  /** The gap of the /ByteRange is not the signature with its brackets. */
  'gap-differs-from-contents': NoParameters
  /** Objects stand in the gap of the /ByteRange beside the signature (signature wrapping). */
  'objects-in-gap': NoParameters
  /** Bytes that are no digits stand inside the signature. */
  'foreign-bytes-in-contents': NoParameters
  /** The signed bytes end in the middle of a revision. */
  'signed-end-inside-revision': NoParameters

  /** There is no /Contents, or it is empty (universal forgery). */
  'contents-missing': NoParameters
  /** /Contents is a placeholder of zeros. */
  'contents-empty': NoParameters
  /** The sub-filter is one that this verifier does not read. */
  'format-unsupported': { format: string }
  /** The certificate is missing that the sub-filter requires in the dictionary. */
  'certificate-entry-missing': NoParameters
  /** The signature is not a readable CMS structure. */
  'cms-damaged': NoParameters
  /** The CMS structure is complete and breaks the encoding rules: no program reads it. */
  'cms-misencoded': NoParameters
  /** The CMS structure has no signer, or several. */
  'signer-count-wrong': NoParameters
  /** A document timestamp does not contain a timestamp. */
  'timestamp-content-missing': NoParameters
  /** The signed content is not plain data. */
  'content-type-wrong': NoParameters
  /** The SHA-1 digest is missing that the sub-filter requires. */
  'sha1-digest-missing': NoParameters
  /** A detached signature brings content of its own and says nothing about the document. */
  'content-embedded': NoParameters
  /** The file has more signatures than are checked. */
  'too-many-signatures': NoParameters

  /** The digest over the signed bytes differs. */
  'signed-content-differs': NoParameters
  /** The signature does not verify with the key of the certificate. */
  'signature-differs': NoParameters
  /** The signature algorithm is not accepted. */
  'signature-algorithm-unsupported': NoParameters
  /** The digest and the signature algorithm may not be combined. */
  'algorithms-incompatible': NoParameters
  /** A signature without signed attributes covers more bytes than are read for it. */
  'signed-content-too-large': NoParameters
  /** The signed attributes break the format. */
  'signed-attributes-malformed': NoParameters
  /** Later changes go beyond what the signature allows. */
  'modified-after-signature': NoParameters
  /** Annotations were added after a signature that does not allow them. */
  'annotated-after-signature': NoParameters
  /** A field was filled over letters that were signed. */
  'written-over-after-signature': NoParameters
  /** The digest or signature algorithm is unknown. */
  'algorithm-unknown': NoParameters
  /** The signature does not bring the certificate of the signer. */
  'signer-certificate-missing': NoParameters
  /** The key of the certificate has a size or curve that is not checked. */
  'key-unsupported': NoParameters
  /** The digest or the signature is weak, and no time is proven at which it was not. */
  'algorithm-weak': NoParameters
  /** The signature does not state which certificate made it. */
  'certificate-not-bound': NoParameters
  /** The signature misnames the issuer of its certificate, which its digest identifies. */
  'issuer-misnamed': NoParameters

  /** What was signed can be read in two ways. */
  'signed-in-two-ways': NoParameters
  /** The signature belongs to no field of the form. */
  'signature-without-field': NoParameters
  /** The signature dictionary repeats a key. */
  'signature-key-repeated': NoParameters
  /** Bytes stand after the CMS structure. */
  'data-after-signature': NoParameters
  /** What was added after the signature is written in a way that each reader repairs differently. */
  'irregular-after-signature': { byte: number }
  /** The unsigned attributes are damaged. */
  'unsigned-attributes-damaged': NoParameters
  /** Several fields hold the same signature. */
  'signature-in-several-fields': NoParameters
  /** Bytes stand after the signed bytes that form no revision. */
  'data-after-signed-bytes': NoParameters

  /** Something that was seen is gone (shadow attack, hide). */
  'attack-shadow-hide': NoParameters
  /** A text or field looks different (shadow attack, replace). */
  'attack-shadow-replace': NoParameters
  /** What is shown now was hidden in the signed file (shadow attack, hide and replace). */
  'attack-shadow-hide-and-replace': NoParameters
  /** A later revision changes what was signed (incremental saving attack). */
  'attack-incremental-saving': NoParameters
  /** Something was put on a page that may cover it (overlay attack). */
  'attack-overlay-by-annotation': NoParameters
  /** A field shares an object with another part of the document (sneaky sharing). */
  'attack-sneaky-sharing': NoParameters
  /** The file leads to another document (trailer or catalog swap). */
  'attack-trailer-or-catalog-swap': NoParameters
  /** A field changed that the signature locks (FieldMDP). */
  'locked-field-changed': NoParameters
  /** The signature certifies a document that was certified before. */
  'certification-not-first': NoParameters

  /** The time that the signer states (/M) is not a date. */
  'claimed-time-unreadable': NoParameters
  /** The time that the signer states is in the future. */
  'claimed-time-in-future': { claimedTime: string }
  /** The time that the signer states is before the certificate began. */
  'claimed-time-before-certificate': { claimedTime: string; notBefore: string }
  /** The time that the signer states is after the certificate ended. */
  'claimed-time-after-certificate': { claimedTime: string; notAfter: string }
  /** The time that the signer states is later than the time that a timestamp proves. */
  'claimed-time-after-proven-time': { claimedTime: string; provenTime: string }
  /** The two times that the signer states, in the dictionary and in the signature, differ. */
  'claimed-times-disagree': { claimedTime: string; signingTime: string }
}
