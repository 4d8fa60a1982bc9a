import { extension } from '#server/demo/certificate-minting.ts'
import { DerError } from '#server/domain/asn1/der.ts'
import { octetString } from '#server/domain/asn1/der-writer.ts'
import { ID_OCSP_NONCE } from '#server/domain/asn1/object-identifiers.ts'
import { isIdOf, isSameSerial } from '#server/domain/revocation/certificate-id.ts'
import { type OcspRequest, readOcspRequest } from '#server/domain/revocation/ocsp-request.ts'
import { after, type Instant, minutes } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { mintOcspRefusal, mintOcspResponse, type Revocation } from './revocation-minting.ts'
import type { DemoService } from './service-certificates.ts'

/** What the demo authority knows about what it issued. */
export type OcspRegister = {
  issuer: Certificate
  responder: DemoService
  /** By serial number, the octets of the INTEGER in lower-case hexadecimal. */
  revoked: ReadonlyMap<string, Revocation>
}

const MALFORMED_REQUEST = 1
const UNAUTHORIZED = 6
/** As short as the SAT's would be too short to look at; the demo changes its mind at a restart alone. */
export const LIFE = minutes(5)

/**
 * The answer to an OCSP request: signed by the delegated responder, with the nonce that was asked for. About
 * certificates of other issuers nothing is said.
 *
 * @see RFC 6960, 2 and 4.2; RFC 9654
 */
export function answerOcsp(
  request: Uint8Array,
  { issuer, responder, revoked }: OcspRegister,
  now: Instant,
): Uint8Array {
  const asked = tryToRead(request)
  if (!asked || asked.asked.length === 0) return mintOcspRefusal(MALFORMED_REQUEST)
  if (
    !asked.asked.every((id) =>
      isIdOf(id, { ...issuer, serial: id.serial, issuer: issuer.subject }, issuer),
    )
  )
    return mintOcspRefusal(UNAUTHORIZED)
  const singles = asked.asked.map(({ bytes, serial }) => ({
    id: bytes,
    status: revocationOf(serial, revoked) ?? ('good' as const),
    thisUpdate: now,
    nextUpdate: after(now, LIFE),
  }))
  return mintOcspResponse({
    singles,
    producedAt: now,
    responder: responder.certificate,
    responderKey: responder.key,
    certificates: [responder.certificate],
    ...(asked.nonce && { extensions: [extension(ID_OCSP_NONCE, octetString(asked.nonce))] }),
  })
}

const revocationOf = (serial: string, revoked: OcspRegister['revoked']) =>
  [...revoked].find(([known]) => isSameSerial(known, serial))?.[1]

function tryToRead(request: Uint8Array): OcspRequest | undefined {
  try {
    return readOcspRequest(request)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}
