import { isIdOf } from '#server/domain/revocation/certificate-id.ts'
import { judgeRevocation } from '#server/domain/revocation/judge-revocation.ts'
import { certificateListIn, ocspResponseIn } from '#server/domain/revocation/revocation-values.ts'
import type { Instant } from '#server/domain/time.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import type { AnswerToJudge, JudgedAnswer } from '#server/ports/revocation-source.ts'

/** What an authority's answer says about the certificate of the question, if it is proven to be its word. */
export function judgeAnswer({ question, kind, der, responders, now }: AnswerToJudge): JudgedAnswer {
  const certificate = readCertificate(question.certificate)
  const issuer = readCertificate(question.issuer)
  const parent = question.parent && readCertificate(question.parent)
  const answers = [{ der, source: 'fetched' as const }]
  const { status } = judgeRevocation({
    certificate,
    issuer,
    ...(parent && { parent }),
    evidence: { ocsp: kind === 'ocsp' ? answers : [], crls: kind === 'list' ? answers : [] },
    candidates: [],
    responders: responders.map((responder) => readCertificate(responder)),
    at: now,
    now,
  })
  const response = kind === 'ocsp' ? responseAbout(der, certificate, issuer) : listIn(der)
  return { status, ...response }
}

function responseAbout(der: Uint8Array, certificate: Certificate, issuer: Certificate) {
  const response = ocspResponseIn(der)
  if (response?.kind !== 'answered') return { isReadable: false, nextUpdate: undefined }
  const single = response.responses.find(({ id }) => isIdOf(id, certificate, issuer))
  return { isReadable: true, nextUpdate: single?.nextUpdate }
}

function listIn(der: Uint8Array): { isReadable: boolean; nextUpdate: Instant | undefined } {
  const list = certificateListIn(der)
  return { isReadable: list !== undefined, nextUpdate: list?.nextUpdate }
}
