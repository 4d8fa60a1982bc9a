import { sha256 } from '#server/domain/crypto/sha256.ts'
import { isIdOf } from '#server/domain/revocation/certificate-id.ts'
import { findingsInResponse } from '#server/domain/revocation/findings-in-responses.ts'
import { judgeRevocation } from '#server/domain/revocation/judge-revocation.ts'
import type { OcspAnswer } from '#server/domain/revocation/ocsp-response.ts'
import type { Finding } from '#server/domain/revocation/question.ts'
import { ocspResponseIn } from '#server/domain/revocation/revocation-values.ts'
import { formatInstant, type Instant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { Chain } from './chain.ts'
import { type ProofSection, pemOf, twoDigits } from './section.ts'

export type ResponsesToProve = {
  /** DER, from anywhere: only those count that the authority signed, or a responder that it delegated. */
  responses: readonly Uint8Array[]
  now: Instant
  zone: string
}

type Link = { certificate: Certificate; issuer: Certificate; chain: Chain }
type Spoken = Link & { der: Uint8Array; answer: OcspAnswer; isGood: boolean }

/**
 * What authorities answered about the certificates that were used: of each the newest answer that it is revoked, else the newest
 * that it is good.
 */
export function revocationSections(
  chains: readonly Chain[],
  known: ResponsesToProve,
): ProofSection[] {
  const spoken = linksOf(chains).flatMap((link) => wordAbout(link, known) ?? [])
  return spoken.map((one, index) => sectionAbout(index + 1, one, known))
}

/** Each certificate at the beginning of a chain once, with its issuer. */
function linksOf(chains: readonly Chain[]): Link[] {
  const links = chains.flatMap((chain): Link[] => {
    const [certificate, issuer] = chain.path
    return certificate && issuer ? [{ certificate, issuer, chain }] : []
  })
  const idOf = ({ certificate, issuer }: Link) => sha256(certificate.der) + sha256(issuer.der)
  return [...new Map(links.map((link) => [idOf(link), link])).values()]
}

function wordAbout(link: Link, { responses, now }: ResponsesToProve): Spoken | undefined {
  const { certificate, issuer } = link
  const ocsp = responses.map((der) => ({ der, source: 'fetched' as const }))
  const evidence = { ocsp, crls: [] }
  // openssl believes a responder only if the answer brings its certificate: no others are at hand here either.
  const question = { certificate, issuer, evidence, candidates: [], at: now, now }
  const isGood = judgeRevocation(question).status !== 'revoked'
  const isTold = (finding: Finding) =>
    typeof finding !== 'string' &&
    (isGood ? finding.says.kind === 'good' && !finding.isWeak : finding.says.kind === 'revoked')
  const [newest] = ocsp
    .filter((answer) => findingsInResponse(answer, question).some(isTold))
    .flatMap(({ der }) => {
      const answer = ocspResponseIn(der)
      return answer?.kind === 'answered' ? [{ der, answer }] : []
    })
    .toSorted((a, b) => b.answer.producedAt - a.answer.producedAt)
  return newest && { ...link, ...newest, isGood }
}

function sectionAbout(
  number: number,
  { der, answer, isGood, certificate, issuer, chain }: Spoken,
  { zone }: ResponsesToProve,
): ProofSection {
  const stem = `revocacion/${twoDigits(number)}`
  const output = `respuesta-${twoDigits(number)}.txt`
  const options = chain.options
    .replace(/-CAfile \S+/, `-CAfile ${stem}-cadena.pem`)
    .replace(/-attime \d+/, `-attime ${Math.ceil(answer.producedAt / 1000)}`)
  return {
    title: { about: 'Revocación', of: { kind: 'certificate', name: certificate.name } },
    sentences: [
      `Su autoridad respondió el ${formatInstant(answer.producedAt, zone)} que el certificado ${isGood ? 'no estaba revocado' : 'estaba revocado'}. Que la respuesta “ya no es reciente” es normal: se conserva como llegó.`,
    ],
    commands: [
      `openssl ocsp -respin ${stem}.ors${digestOption(answer, certificate, issuer)} -issuer ${stem}-emisor.pem -cert ${stem}-certificado.pem ${options} -no_nonce > ${output}`,
      saysStatus(isGood ? 'good' : 'revoked', output),
    ],
    files: [
      { name: `${stem}.ors`, bytes: der },
      { name: `${stem}-certificado.pem`, bytes: pemOf([certificate]) },
      { name: `${stem}-emisor.pem`, bytes: pemOf([issuer]) },
      { name: `${stem}-cadena.pem`, bytes: chain.file.bytes },
    ],
    roots: [chain.root],
  }
}

/** openssl looks for a certificate that is named by its digest of SHA-1, unless it is told otherwise. */
function digestOption(
  { responses }: OcspAnswer,
  certificate: Certificate,
  issuer: Certificate,
): string {
  const single = responses.find(({ id }) => isIdOf(id, certificate, issuer))
  const digest = single?.id.digest
  return digest === undefined || digest === 'sha1' ? '' : ` -${digest}`
}

/**
 * The command that finds the status in what `openssl ocsp` writes: behind the name of the file, and in a line of its own behind a warning
 * once the answer is no longer recent.
 */
export const saysStatus = (status: 'good' | 'revoked', file: string): string =>
  `grep -q -E '(^|: )${status}$' ${file}`
