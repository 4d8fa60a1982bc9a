import { DerError } from '#server/domain/asn1/der.ts'
import { ID_CT_TST_INFO } from '#server/domain/asn1/object-identifiers.ts'
import { readSignedData, type SignedData } from '#server/domain/cms/signed-data.ts'
import type { SignerInfo } from '#server/domain/cms/signer-info.ts'
import { readTstInfo, type TstInfo } from './tst-info.ts'

/** A timestamp with the signature of its authority. */
export type TimeStampToken = {
  signedData: SignedData
  signer: SignerInfo
  info: TstInfo
}

/**
 * The token at the start of `bytes`.
 *
 * @throws {DerError} if there is none, or it does not have exactly one signer
 * @see RFC 3161, 2.4.2
 */
export function readTimeStampToken(bytes: Uint8Array): TimeStampToken {
  return timeStampTokenIn(readSignedData(bytes))
}

/** @throws {DerError} if the signed data is not a timestamp */
function timeStampTokenIn(signedData: SignedData): TimeStampToken {
  const [signer, ...more] = signedData.signers
  if (!signer || more.length > 0)
    throw new DerError('unexpected-structure', 'a timestamp has one signer')
  if (signedData.contentType !== ID_CT_TST_INFO || !signedData.content)
    throw new DerError('unexpected-structure', 'not a timestamp')
  return { signedData, signer, info: readTstInfo(signedData.content) }
}
